/** The look of the reference page: calm graphite, one ember accent, light and dark. */
export const STYLE = `
:root{--bg:#fbfbfa;--card:#fff;--line:#e3e3e0;--text:#23262a;--dim:#686d74;--ember:#c2410c;--code:#f1f1ee}
@media(prefers-color-scheme:dark){:root{--bg:#15171a;--card:#1c1f23;--line:#30343a;--text:#e6e7e8;--dim:#9aa0a8;--ember:#ff7a45;--code:#25292e}}
*{box-sizing:border-box}html{scroll-behavior:smooth;scroll-padding-top:16px}
body{margin:0;background:var(--bg);color:var(--text);font:15px/1.55 system-ui,-apple-system,"Segoe UI",sans-serif;display:grid;grid-template-columns:300px minmax(0,1fr)}
nav{position:sticky;top:0;height:100vh;overflow:auto;padding:24px 20px;border-right:1px solid var(--line)}
nav h1{font-size:18px;margin:0}nav h2{font-size:11px;letter-spacing:.08em;text-transform:uppercase;color:var(--dim);margin:22px 0 6px}
nav ul{list-style:none;margin:0;padding:0}nav li a{display:block;padding:3px 0;font-size:12.5px;color:var(--text);text-decoration:none;overflow:hidden;text-overflow:ellipsis;white-space:nowrap}
nav li a:hover{color:var(--ember)}nav .method{font-size:9.5px;margin-right:6px}
main{padding:32px 40px 120px;max-width:980px}a{color:var(--ember)}
h1{font-size:26px;margin:0 0 8px}section>h2{font-size:20px;margin:48px 0 12px}
article{background:var(--card);border:1px solid var(--line);border-radius:8px;padding:18px 22px;margin:14px 0}
article h3{margin:0 0 4px;font-size:15px;font-family:ui-monospace,"SF Mono",Menlo,monospace;overflow-wrap:anywhere}
h4{margin:16px 0 4px;font-size:12.5px;color:var(--dim);font-weight:600}
table{border-collapse:collapse;width:100%;font-size:13.5px}td{padding:6px 14px 6px 0;border-top:1px solid var(--line);vertical-align:top}td:first-child{white-space:nowrap;width:230px}td:nth-child(2){width:220px}
code,pre{font-family:ui-monospace,"SF Mono",Menlo,monospace;font-size:12.5px;background:var(--code);border-radius:4px}code{padding:1px 5px}
pre{padding:12px 14px;overflow:auto;margin:14px 0 0;border-radius:8px}.dim{color:var(--dim)}
.must{color:var(--ember);font-size:11px;margin-left:4px}.method{display:inline-block;min-width:46px;font:600 11px ui-monospace,monospace;color:var(--dim)}
.method.post{color:var(--ember)}.method.delete{color:#c0392b}summary{cursor:pointer;font-size:13px;color:var(--dim)}
@media(max-width:820px){body{display:block}nav{position:static;height:auto;max-height:40vh;border-right:0;border-bottom:1px solid var(--line)}main{padding:20px 16px}td:first-child{white-space:normal}}
`
