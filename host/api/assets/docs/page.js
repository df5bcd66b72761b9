"use strict";

const notice = document.getElementById("without-scripts");
const sans = 'system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", Arial, sans-serif';
const mono = 'ui-monospace, SFMono-Regular, Menlo, Consolas, "Liberation Mono", monospace';

Redoc.init(
  "openapi.json",
  {
    expandResponses: "200,201,202",
    hideLoading: true,
    jsonSamplesExpandLevel: 3,
    nativeScrollbars: true,
    requiredPropsFirst: true,
    showExtensions: ["x-stability"],
    theme: {
      typography: {
        fontFamily: sans,
        headings: { fontFamily: sans },
        code: { fontFamily: mono },
      },
    },
  },
  document.getElementById("reference"),
  (error) => {
    if (error) {
      notice.append(" It could not be shown: " + error.message);
    } else {
      notice.remove();
    }
  },
);
