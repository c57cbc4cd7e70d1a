import { once } from 'node:events'
import { createServer } from 'node:http'
import { DEFAULT_LANGUAGE, languageOf } from '#schemas/language.ts'
import type { RefusalCode } from '#schemas/refusal.ts'
import type { Settings } from '#schemas/settings.ts'
import { problemOf } from './problem.ts'

const LIVE = '/botadmin/api/health/live'
const HEADERS = {
  'content-type': 'application/problem+json; charset=utf-8',
  'cache-control': 'no-store',
  'retry-after': '5',
  connection: 'close',
}

/** Answers in the gateway's place until the store is there: alive, not ready, and 503 to everything else. */
export const openPlaceholderServer = async ({ HOST, PORT }: Settings, code: RefusalCode): Promise<AsyncDisposable> => {
  const server = createServer((request, response) => {
    if (request.url === LIVE) return response.end('live\n')
    response
      .writeHead(503, HEADERS)
      .end(JSON.stringify(problemOf({ code }, languageOf(request.headers['accept-language']) ?? DEFAULT_LANGUAGE)))
  })
  server.listen(PORT, HOST)
  await once(server, 'listening')
  return {
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}
