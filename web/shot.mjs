import { chromium } from 'playwright-core';
const [,, out, hash, w='1400', h='900', wait='1', dark='0', js=''] = process.argv;
const b = await chromium.launch({executablePath:'/usr/bin/chromium', args:['--no-sandbox','--enable-unsafe-swiftshader','--use-gl=angle','--use-angle=swiftshader','--disable-background-networking','--disable-component-update','--disable-sync','--no-first-run']});
const p = await b.newPage({viewport:{width:+w,height:+h}, colorScheme: dark==='1'?'dark':'light'});
p.on('console', m=>{ if(m.type()!=='log') console.log('console', m.type(), m.text())}); p.on('pageerror', e=>console.log('pageerror', e.message)); p.on('requestfailed', r=>console.log('failed', r.url()));
const t=Date.now();
await p.goto('http://127.0.0.1:4800/'+hash);
try { await p.waitForFunction((n)=>Number(document.body.dataset.ready)>=n, 1, {timeout:60000}); } catch(e){console.log('timeout ready')}
console.log('ready after', Date.now()-t, 'coarse', await p.evaluate(()=>document.body.dataset.coarse), 'isolated', await p.evaluate(()=>crossOriginIsolated));
if (js) { await p.evaluate(js); }
await p.waitForTimeout(+wait*1000);
await p.screenshot({path: out});
await b.close();
