//! Blocks of XML: the text of each element, in document order.

use quick_xml::Reader;
use quick_xml::events::Event;

use crate::{Block, BlockKind, html};

/// One block per run of text. DANGER: entities that a document defines can expand without bound, so only
/// XML's own are resolved. Feeds carry HTML as text; such a run is read as HTML.
pub(crate) fn blocks(text: &str) -> Vec<Block> {
    let mut reader = Reader::from_str(text);
    let config = reader.config_mut();
    config.check_end_names = false;
    config.allow_unmatched_ends = true;
    config.allow_dangling_amp = true;
    let mut blocks = Vec::new();
    let mut run = String::new();
    loop {
        match reader.read_event() {
            Ok(Event::Text(part)) => run.push_str(&part.xml10_content()),
            Ok(Event::CData(part)) => run.push_str(&part.xml10_content()),
            Ok(Event::GeneralRef(reference)) => match reference.resolve_char_ref() {
                Ok(Some(character)) => run.push(character),
                _ => run.push_str(predefined(&reference)),
            },
            Ok(Event::Start(_) | Event::End(_) | Event::Empty(_)) => flush(&mut run, &mut blocks),
            Ok(Event::Comment(_) | Event::PI(_) | Event::Decl(_) | Event::DocType(_)) => {}
            // Broken or truncated: keep what came before.
            Ok(Event::Eof) | Err(_) => {
                flush(&mut run, &mut blocks);
                return blocks;
            }
        }
    }
}

fn predefined(name: &str) -> &'static str {
    match name {
        "amp" => "&",
        "lt" => "<",
        "gt" => ">",
        "quot" => "\"",
        "apos" => "'",
        "nbsp" => " ",
        _ => "\u{FFFD}",
    }
}

fn flush(run: &mut String, blocks: &mut Vec<Block>) {
    if looks_like_html(run) {
        blocks.append(&mut html::blocks(run));
    } else {
        blocks.extend(Block::new(BlockKind::Other, run));
    }
    run.clear();
}

fn looks_like_html(run: &str) -> bool {
    run.as_bytes()
        .windows(2)
        .any(|pair| matches!(pair, [b'<', next] if next.is_ascii_alphabetic() || *next == b'/'))
        && run.contains('>')
}

#[cfg(test)]
mod tests {
    use super::*;

    fn texts(xml: &str) -> Vec<String> {
        blocks(xml).into_iter().map(|block| block.text).collect()
    }

    #[test]
    fn text_cdata_and_references_are_read() {
        let xml = "<?xml version='1.0'?><r><t>A &amp; B &#228;</t><!-- no --><d><![CDATA[<p>One</p><p>Two</p>]]></d></r>";
        assert_eq!(texts(xml), ["A & B ä", "One", "Two"]);
    }

    #[test]
    fn own_entities_do_not_expand() {
        let xml = "<!DOCTYPE r [<!ENTITY a \"boom\">]><r>x&a;y</r>";
        assert_eq!(texts(xml), ["x\u{FFFD}y"]);
    }

    #[test]
    fn a_cut_document_gives_what_is_there() {
        assert_eq!(texts("<r><a>one</a><b>two</b><c at"), ["one", "two"]);
    }
}
