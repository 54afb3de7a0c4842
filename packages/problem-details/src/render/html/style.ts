/**
 * Content of the page's only `style` element. It is constant, so that one hash in the policy covers every page
 * (ERR-070).
 *
 * All sizes use `rem` or `em`, and all sides are logical: the page grows with the reader's font and follows the
 * direction of its language. It loads no font, picture or other resource (ERR-066).
 */
export const style = `
:root{--paper:#f8f7f4;--panel:#fff;--ink:#1d1c1a;--quiet:#5f5b55;--line:#dcd8d0;--link:#8d877b;--fault:#b3261e;--on-fault:#fff}
@media (prefers-color-scheme:dark){:root{--paper:#131417;--panel:#1b1d21;--ink:#ecebe8;--quiet:#a5a39e;--line:#2f3237;--link:#747781;--fault:#ff9a8a;--on-fault:#2b0b07}}
*{box-sizing:border-box;margin:0}
html{color-scheme:light dark;-webkit-text-size-adjust:100%;text-size-adjust:100%}
body{display:flex;flex-direction:column;min-block-size:100vh;max-inline-size:64rem;margin-inline:auto;padding:clamp(1.5rem,4vw,3.5rem) clamp(1.25rem,6vw,4rem) 1.5rem;background:var(--paper);color:var(--ink);font:1rem/1.6 system-ui,-apple-system,"Segoe UI",Roboto,"Noto Sans",sans-serif;overflow-wrap:anywhere}
html{background:var(--paper)}
main{flex:1;display:grid;align-content:start;grid-template-columns:minmax(0,1fr);gap:clamp(2rem,4vw,2.75rem) 4rem}
h1{font-size:clamp(1.5rem,4.5vw,2.25rem);line-height:1.2;font-weight:600;letter-spacing:-.02em;text-wrap:balance}
[dir=rtl] h1{letter-spacing:normal}
.code{display:block;margin-block-end:.75rem;margin-inline-start:-.04em;font-size:clamp(4.5rem,17vw,7rem);line-height:.9;font-weight:700;letter-spacing:-.05em;font-variant-numeric:lining-nums}
.long{font-size:clamp(2.5rem,10vw,5rem)}
.site{margin-block-end:1.5rem;color:var(--quiet);font-weight:500}
h2{margin-block-end:.75rem;font-size:.875rem;font-weight:600;color:var(--quiet)}
section p,section ul,section ol{max-inline-size:38rem;text-wrap:pretty}
.text{font-size:1.125rem}
.text>*+*{margin-block-start:.75em}
.wait{display:flex;align-items:center;gap:.5em;margin-block-start:1rem}
.wait svg{flex:none;inline-size:1.25em;block-size:1.25em}
.text ul,.text ol{padding-inline-start:1.5em}
.parties{display:grid;gap:0;max-inline-size:none;padding:0;list-style-type:""}
.party{position:relative;display:grid;grid-template-columns:auto minmax(0,1fr);column-gap:1rem;align-items:center;padding-block-end:1.75rem}
.party:last-child{padding-block-end:0}
.party::after{content:"";position:absolute;inset-block:3.5rem 0;inset-inline-start:1.6875rem;border:0 solid var(--link);border-inline-start-width:.125rem}
.party:last-child::after{content:none}
.fault::after{border-style:dashed;border-color:var(--fault)}
.party:has(+.fault)::after{border-style:dashed;border-color:var(--fault)}
.node{grid-row:span 2;align-self:start;display:grid;place-items:center;inline-size:3.5rem;block-size:3.5rem;border:.125rem solid var(--link);border-radius:50%;background:var(--panel);color:var(--quiet)}
.fault .node{border:.25rem solid var(--fault);border-radius:.75rem;background:var(--fault);color:var(--on-fault)}
svg{display:block;inline-size:1.5rem;block-size:1.5rem;fill:none;stroke:currentColor;stroke-width:1.75;stroke-linecap:round;stroke-linejoin:round}
.name{align-self:end;font-weight:600;line-height:1.3}
.state{align-self:start;display:flex;align-items:center;gap:.375em;font-size:.875rem;line-height:1.4;color:var(--quiet)}
.state svg{flex:none;inline-size:1em;block-size:1em;stroke-width:2.5}
.fault .state{color:var(--fault);font-weight:600}
dl{display:grid;grid-template-columns:repeat(auto-fit,minmax(min(100%,15rem),1fr));gap:1.25rem 2rem;padding-block-start:1.25rem;border-block-start:1px solid var(--line)}
dt{font-size:.875rem;color:var(--quiet)}
dd{font-variant-numeric:tabular-nums}
.exact{font-family:ui-monospace,SFMono-Regular,Menlo,Consolas,"Liberation Mono",monospace;font-size:.9375em}
footer{margin-block-start:2.5rem;padding-block-start:1rem;border-block-start:1px solid var(--line);font-size:.875rem;color:var(--quiet)}
@media (min-width:48rem){
main{grid-template-columns:repeat(2,minmax(0,1fr))}
header,.wide{grid-column:1/-1}
.parties{grid-template-columns:repeat(3,minmax(0,1fr));padding:1.75rem 1rem;border:1px solid var(--line);border-radius:1rem;background:var(--panel)}
.party,.party:last-child{grid-template-columns:minmax(0,1fr);justify-items:center;align-content:start;row-gap:.25rem;padding:0 .5rem;text-align:center}
.node{grid-row:auto;margin-block-end:.5rem}
.name,.state{align-self:auto}
.party::after{inset-block:1.6875rem auto;inset-inline:calc(50% + 2.25rem) calc(-50% + 2.25rem);border-width:.125rem 0 0}
}
@media print{
:root{--paper:#fff;--panel:#fff;--ink:#000;--quiet:#333;--line:#999;--link:#666;--fault:#000;--on-fault:#000}
@page{margin:2cm}
html{font-size:10pt}
body{min-block-size:0;padding:0}
.code{margin:0;font-size:4.5rem;line-height:1.2}
.fault .node{background:none}
section{break-inside:avoid}
}
@media (forced-colors:active){.fault .node{border-style:double}}
`;
