(function () {
  var node = document.getElementById("__NEXT_DATA__");
  var root = document.getElementById("__next");
  if (!node || !root || root.firstChild) return;
  var props = JSON.parse(node.textContent).props.pageProps;
  function el(tag, attributes, children) {
    var made = document.createElement(tag);
    Object.keys(attributes).forEach(function (name) { made.setAttribute(name, attributes[name]); });
    [].concat(children || []).forEach(function (child) {
      if (child) made.append(child);
    });
    return made;
  }
  var home = props.locale === "nl" ? "/" : "/en/";
  root.append(
    el("header", { class: "kop" }, [
      el("a", { href: home }, el("img", { src: "/logo.svg", alt: "Ketelboek", width: "184", height: "40" })),
      el("nav", {}, props.nav.map(function (item) { return el("a", { href: item.href }, item.label); }))
    ]),
    el("main", {}, [
      el("section", { class: "held" }, [
        el("h1", {}, props.hero.title),
        el("p", { class: "intro" }, props.hero.subtitle),
        el("p", {}, props.hero.actions.map(function (action) {
          return el("a", { class: action.variant === "primary" ? "btn" : "btn btn-lijn", href: action.href }, action.label);
        }))
      ]),
      el("section", { class: "raster" }, props.benefits.map(function (benefit) {
        return el("div", { class: "kaart" }, [el("h3", {}, benefit.title), el("p", {}, benefit.text)]);
      })),
      el("section", { class: "cijfers" }, props.stats.map(function (stat) {
        return el("p", {}, [el("span", { class: "bedrag" }, stat.value), " ", el("span", {}, stat.label)]);
      })),
      props.quote && el("blockquote", { class: "citaat" }, [
        el("p", {}, props.quote.text),
        el("footer", {}, props.quote.name + ", " + props.quote.role)
      ]),
      props.press && el("p", {}, el("a", { href: props.press.href }, props.press.label))
    ])
  );
})();
