/**
 * Content of the page's only `style` element, in the manner of the error pages of `@packhouse/problem-details`. It loads
 * no font, picture or other resource. Every text has a contrast of 4.5 to its background, in both
 * schemes, and each status has a sign beside its colour.
 */
export const style = `
:root{--paper:#f8f7f4;--panel:#fff;--ink:#1d1c1a;--quiet:#5f5b55;--line:#dcd8d0;--strong-line:#8d877b;--fault:#b3261e;--fault-tint:#fbe9e7;--good:#236b2a;--good-tint:#e5f2e5;--doubt:#7a4d00;--doubt-tint:#fbf0da;--accent:#1a5fb4}
@media (prefers-color-scheme:dark){:root{--paper:#131417;--panel:#1b1d21;--ink:#ecebe8;--quiet:#a5a39e;--line:#2f3237;--strong-line:#747781;--fault:#ff9a8a;--fault-tint:#3a1a17;--good:#86d08a;--good-tint:#16301a;--doubt:#f0c069;--doubt-tint:#35280d;--accent:#8ab8ff}}
*{box-sizing:border-box;margin:0}
html{color-scheme:light dark;background:var(--paper);-webkit-text-size-adjust:100%;text-size-adjust:100%;scroll-padding-block-start:1rem}
body{max-inline-size:72rem;margin-inline:auto;padding:clamp(1.5rem,4vw,3.5rem) clamp(1rem,5vw,4rem) 2rem;background:var(--paper);color:var(--ink);font:1rem/1.6 system-ui,-apple-system,"Segoe UI",Roboto,"Noto Sans",sans-serif;overflow-wrap:anywhere}
a{color:inherit;text-underline-offset:.2em}
:focus-visible{outline:.1875rem solid var(--accent);outline-offset:.125rem;border-radius:.25rem}
.skip{position:absolute;inset-inline-start:-100vw;background:var(--panel);padding:.5rem 1rem}
.skip:focus{inset-inline-start:1rem;inset-block-start:1rem;z-index:1}
.vh{position:absolute;inline-size:1px;block-size:1px;overflow:hidden;clip-path:inset(50%);white-space:nowrap}
h1{font-size:clamp(1.375rem,4vw,2rem);line-height:1.25;font-weight:600;letter-spacing:-.02em;text-wrap:balance}
.figure{display:block;margin-block-end:.5rem;margin-inline-start:-.03em;font-size:clamp(3.5rem,14vw,6.5rem);line-height:1;font-weight:700;letter-spacing:-.05em;font-variant-numeric:lining-nums}
.figure small{font-size:.35em;font-weight:500;letter-spacing:-.02em;color:var(--quiet)}
h2{margin-block:3rem 1rem;font-size:1.25rem;line-height:1.3;font-weight:600;letter-spacing:-.01em}
h3{margin-block:2rem .5rem;font-size:.9375rem;font-weight:600;color:var(--quiet)}
h4{margin-block:1.25rem .375rem;font-size:.875rem;font-weight:600;color:var(--quiet)}
.quiet{color:var(--quiet)}
header .quiet{margin-block-start:.25rem}
.bar{display:block;inline-size:100%;block-size:.75rem;margin-block:1.5rem;border-radius:.375rem}
.bar .pass{fill:var(--good)}.bar .fail,.bar .error{fill:var(--fault)}.bar .unsupported,.bar .beyond{fill:var(--doubt)}.bar .skipped{fill:var(--strong-line)}
dl{display:grid;grid-template-columns:repeat(auto-fit,minmax(min(100%,9.5rem),1fr));gap:1rem 2rem;padding-block-start:1.25rem;border-block-start:1px solid var(--line)}
dl.found{grid-template-columns:max-content minmax(0,1fr);gap:.25rem 2rem;border:0;padding:0}
@media (max-width:36rem){dl.found{grid-template-columns:minmax(0,1fr)}}
dt{font-size:.875rem;color:var(--quiet)}
dd{font-variant-numeric:tabular-nums}
code,pre,.packets,kbd{font-family:ui-monospace,SFMono-Regular,Menlo,Consolas,"Liberation Mono",monospace;font-size:.875em}
.scroll{overflow-x:auto}
table{border-collapse:collapse;inline-size:100%;font-variant-numeric:tabular-nums}
th,td{padding:.5rem .75rem;border-block-end:1px solid var(--line);text-align:end;font-weight:400}
th:first-child{text-align:start;padding-inline-start:0}
thead th{font-size:.875rem;color:var(--quiet)}
.areas td,.areas thead th{white-space:nowrap}
@media (max-width:36rem){.areas td,.areas th:not(:first-child){padding-inline:.375rem}.areas td a{margin-inline:-.375rem;padding-inline:.375rem}}
tbody th{font-weight:600}
td a{display:block;margin:-.5rem -.75rem;padding:.5rem .75rem}
.panel{border:1px solid var(--line);border-radius:.75rem;background:var(--panel)}
form{display:grid;gap:1rem 1.5rem;padding:1.25rem;margin-block-end:1rem}
fieldset{border:0;padding:0;display:flex;flex-wrap:wrap;gap:.375rem 1.25rem;min-inline-size:0}
legend,label.over{display:block;padding:0;margin-block-end:.25rem;font-size:.875rem;color:var(--quiet)}
fieldset label{display:flex;align-items:center;gap:.5rem;min-block-size:1.75rem}
input[type=checkbox]{inline-size:1.125rem;block-size:1.125rem;accent-color:var(--accent)}
input[type=search],input[type=text],select{inline-size:100%;min-block-size:2.5rem;padding:.375rem .75rem;border:1px solid var(--strong-line);border-radius:.5rem;background:var(--paper);color:var(--ink);font:inherit}
button{min-block-size:2.25rem;padding:.25rem .875rem;border:1px solid var(--strong-line);border-radius:.5rem;background:var(--panel);color:var(--ink);font:inherit;font-size:.875rem;cursor:pointer}
button:hover{border-color:var(--ink)}
.buttons{display:flex;flex-wrap:wrap;align-items:center;gap:.5rem}
.shown{margin-inline-end:auto;font-weight:600}
@media (min-width:44rem){form{grid-template-columns:2fr 1fr 1fr}form fieldset,form .buttons{grid-column:1/-1}}
summary{cursor:pointer}
.group>summary{padding:.5rem 0;font-weight:600}
.chips{margin-block-start:.25rem;display:flex;flex-wrap:wrap;gap:.375rem;padding:0 0 1rem;list-style:none}
.chip{display:inline-block;padding:.125rem .5rem;border:1px solid var(--line);border-radius:.375rem;background:var(--panel);font-size:.8125rem;text-decoration:none}
.chip:hover{text-decoration:underline}
.case{border-block-end:1px solid var(--line);content-visibility:auto;contain-intrinsic-block-size:auto 4.5rem}
.case[open]{content-visibility:visible}
.case>summary{display:grid;grid-template-columns:1.25rem minmax(0,1fr);column-gap:.75rem;padding:.75rem .25rem;list-style:none}
.case>summary::-webkit-details-marker{display:none}
.case>summary:hover .id{text-decoration:underline}
.case>summary::before{grid-row:span 2;font-weight:700;line-height:1.6}
.chip::before{margin-inline-end:.375em;font-weight:700}
.pass>summary::before,.chip.pass::before{content:"\u2713" / "";color:var(--good)}
.fail>summary::before,.chip.fail::before{content:"\u2715" / "";color:var(--fault)}
.error>summary::before,.chip.error::before{content:"!" / "";color:var(--fault)}
.unsupported>summary::before,.chip.unsupported::before{content:"\u25cb" / "";color:var(--doubt)}
.beyond>summary::before,.chip.beyond::before{content:"\u2197" / "";color:var(--doubt)}
.skipped>summary::before,.chip.skipped::before{content:"\u2013" / "";color:var(--quiet)}
.id{font-weight:600}
td .pass{color:var(--good)}td .fail,td .error{color:var(--fault)}td .unsupported,td .beyond{color:var(--doubt)}td .skipped{color:var(--quiet)}
.chip.fail,.chip.error{border-color:var(--fault);color:var(--fault)}
.chip.unsupported,.chip.beyond{color:var(--doubt)}
.body{padding:0 .25rem 1.5rem 2.25rem}
.case .body>:first-child{margin-block-start:0}
@media (max-width:36rem){.body{padding-inline-start:.25rem}}
pre{max-block-size:30rem;overflow:auto;padding:.75rem 1rem;border:1px solid var(--line);border-radius:.5rem;background:var(--panel);white-space:pre-wrap;line-height:1.5;tab-size:4}
pre.message{border-color:var(--fault);border-inline-start-width:.25rem}
.command{position:relative}
.command button{position:absolute;inset-block-start:.375rem;inset-inline-end:.375rem;min-block-size:1.75rem;padding:0 .625rem}
.command pre{padding-inline-end:5rem}
.diff .l{display:block;padding-inline-start:1.5rem;text-indent:-1.5rem}
.diff .minus{background:var(--good-tint)}
.diff .plus{background:var(--fault-tint)}
.c{font-style:normal;font-size:.85em;color:var(--doubt);background:var(--doubt-tint);border-radius:.2em}
.steps{padding:0;list-style:none;counter-reset:step}
.step{margin-block:.375rem;border:1px solid var(--line);border-radius:.5rem;background:var(--panel);counter-increment:step}
.step>details>summary{padding:.5rem .75rem}
.step>details>summary::before{content:counter(step) ". ";color:var(--quiet)}
.step .in{padding:0 .75rem .75rem}
.step pre{background:var(--paper)}
.step h4{margin-block-start:.75rem}
.packets th{white-space:nowrap}.packets td,.packets th{padding:.125rem .5rem;text-align:start;vertical-align:top}
.packets td:first-child,.packets td:nth-child(2){color:var(--quiet);white-space:nowrap}
.packets td:last-child{inline-size:100%;white-space:pre-wrap}
.none{padding:2rem;text-align:center}
footer{margin-block-start:3rem;padding-block-start:1rem;border-block-start:1px solid var(--line);font-size:.875rem;color:var(--quiet)}
[hidden]{display:none!important}
@media print{:root{--paper:#fff;--panel:#fff;--ink:#000;--quiet:#333;--line:#999}form,.command button,.skip{display:none}pre{max-block-size:none}.case{content-visibility:visible}}
@media (forced-colors:active){.bar rect{forced-color-adjust:none}}
`;
