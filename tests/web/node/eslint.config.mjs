// What the browser surface is linted with, beside `tsc --checkJs --strict`. Run from the top of the checkout.
import js from "@eslint/js";
import globals from "globals";

const page = "surfaces/web/page";
// A component is a closure, so its inner functions count into its lines; `??`, `?.` and defaults count as branches.
const limits = {
  complexity: ["error", 15],
  "max-depth": ["error", 3],
  "max-lines": ["error", { max: 300 }],
  "max-lines-per-function": ["error", { max: 60, skipBlankLines: true, skipComments: true }],
  "max-statements": ["error", { max: 30 }],
  "max-params": ["error", 5],
};
// The Content-Security-Policy refuses these at run time; here they are refused before.
const dangers = {
  "no-eval": "error",
  "no-implied-eval": "error",
  "no-new-func": "error",
  "no-script-url": "error",
  "no-restricted-properties": [
    "error",
    { property: "innerHTML", message: "Text only: use textContent or dom.js." },
    { property: "outerHTML", message: "Text only: use textContent or dom.js." },
    { property: "insertAdjacentHTML", message: "Text only: use textContent or dom.js." },
    { object: "document", property: "write", message: "Text only: use dom.js." },
  ],
};
const care = {
  "array-callback-return": "error",
  curly: ["error", "multi-line"],
  "default-case-last": "error",
  eqeqeq: ["error", "always", { null: "ignore" }],
  "no-alert": "error",
  "no-console": "error",
  "no-constructor-return": "error",
  "no-else-return": "error",
  "no-implicit-coercion": ["error", { boolean: false }],
  "no-param-reassign": "error",
  "no-promise-executor-return": "error",
  "no-self-compare": "error",
  "no-shadow": ["error", { builtinGlobals: false }],
  "no-template-curly-in-string": "error",
  "no-throw-literal": "error",
  "no-undef-init": "error",
  "no-unreachable-loop": "error",
  "no-unused-expressions": ["error", { allowShortCircuit: true, allowTernary: true }],
  "no-unused-vars": ["error", { argsIgnorePattern: "^_", caughtErrors: "none" }],
  "no-use-before-define": ["error", { functions: false, classes: false, variables: false }],
  "no-useless-return": "error",
  "no-var": "error",
  "no-warning-comments": ["error", { terms: ["todo", "fixme", "xxx"] }],
  "object-shorthand": "error",
  "prefer-const": "error",
  "prefer-template": "error",
  "require-atomic-updates": "off", // counts a module's own single-threaded state as shared
};

export default [
  { linterOptions: { reportUnusedDisableDirectives: "error" } },
  js.configs.recommended,
  { rules: { ...limits, ...dangers, ...care } },
  { files: [`${page}/js/**/*.js`], languageOptions: { globals: globals.browser } },
  { files: [`${page}/sw.js`, `${page}/end-worker.js`], languageOptions: { globals: globals.serviceworker } },
  { files: ["tests/web/unit/**"], languageOptions: { globals: globals.node }, rules: { "max-lines-per-function": "off" } },
];
