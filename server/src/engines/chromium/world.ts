/**
 * For scripts that run inside a page. The browser's own types would hold for the whole server, where there is no document;
 * so what a page offers is declared where it is used, as this.
 */
// biome-ignore lint/suspicious/noExplicitAny: see above
export type World = any
