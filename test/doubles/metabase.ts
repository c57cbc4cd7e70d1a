import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

const page = (path: string) => `<!doctype html><html lang="en"><title>Metabase</title>
<style>body{font:14px Arial,sans-serif;margin:24px;color:#333}.bar{background:#509ee3;height:18px;margin:8px 0}</style>
<h1>Embedded</h1><p id="path">${path.replace(/[<&]/gu, '')}</p><p id="hash"></p><p id="parent"></p>
<div class="bar" style="width:82%"></div><div class="bar" style="width:54%"></div><div class="bar" style="width:31%"></div>
<script>
document.getElementById('hash').textContent = location.hash
try { document.getElementById('parent').textContent = 'reached ' + parent.document.title } catch { document.getElementById('parent').textContent = 'closed' }
</script></html>`

/** A small Metabase: it answers each embedding address with a page that says what it was asked for. */
export const startMetabase = async () => {
  const asked: string[] = []
  const referrers: string[] = []
  const server = createServer((request, response) => {
    asked.push(request.url ?? '')
    referrers.push(request.headers.referer ?? '')
    response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' }).end(page(request.url ?? ''))
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}`,
    asked,
    referrers,
    close: () =>
      new Promise<void>(resolve => {
        server.closeAllConnections()
        server.close(() => resolve())
      }),
  }
}
