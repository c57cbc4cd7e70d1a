import { Readable } from 'node:stream'
import { setImmediate as later } from 'node:timers/promises'
import fastify from 'fastify'
import { expect, test } from 'vitest'
import { readSource, sourceFiles } from '#test/lint/source-graph.ts'
import { RequestRefused } from './failure.ts'
import { addMultipart, filePartOf, wholeContentOf } from './multipart.ts'

const LIMIT = 1000
const HEAD = '--x\r\ncontent-disposition: form-data; name="file"; filename="a.txt"\r\n\r\n'
const END = '\r\n--x--\r\n'

/** Sends a file whose bytes arrive in these chunks; answers the status and the size that was read. */
const uploaded = async (...chunks: number[]) => {
  const app = fastify()
  app.setErrorHandler((error, _request, reply) =>
    reply.code(error instanceof RequestRefused && error.refusal.code === 'request.toolarge' ? 413 : 500).send({}),
  )
  await app.register(async files => {
    await addMultipart(files, { fileSize: LIMIT })
    files.post('/', async request => ({ size: (await wholeContentOf(await filePartOf(request))).length }))
  })
  const body = Readable.from(
    (async function* () {
      yield HEAD
      for (const size of chunks) {
        yield 'x'.repeat(size)
        for (let turn = 0; turn < 5; turn += 1) await later()
      }
      yield END
    })(),
    { objectMode: false },
  )
  const headers = { 'content-type': 'multipart/form-data; boundary=x' }
  const answer = await app.inject({ method: 'POST', url: '/', headers, payload: body })
  await app.close()
  return { status: answer.statusCode, ...answer.json() }
}

test('a file at its limit is read whole, however it arrives [P-121]', async () => {
  for (const chunks of [[LIMIT], [1, LIMIT - 1], [LIMIT - 1, 1]])
    expect(await uploaded(...chunks), String(chunks)).toEqual({ status: 200, size: LIMIT })
})

test('a file over its limit is refused, however it arrives, and never cut [P-121]', async () => {
  for (const chunks of [[LIMIT + 1], [LIMIT, 1], [LIMIT - 1, 2], [LIMIT, 1, 1], [500, 500, 500]])
    expect(await uploaded(...chunks), String(chunks)).toEqual({ status: 413 })
})

test('files of requests are read through wholeContentOf alone [P-121]', () => {
  const reading = sourceFiles('{gateway,runtime}/**/*.ts').filter(file => readSource(file).includes('.toBuffer('))
  expect(reading).toEqual(['gateway/http/multipart.ts'])
})
