import { expect, it, vi } from 'vitest'
import { StoreCorrupt, StoreUnavailable } from '../port.ts'
import { WorkerChannel } from './embedded-log.ts'

const worker = (onMessage: string, first = "{ ready: 'id' }") =>
  new URL(
    `data:text/javascript,${encodeURIComponent(`
    import { parentPort } from 'node:worker_threads'
    parentPort.postMessage(${first})
    parentPort.on('message', requests => { ${onMessage} })`)}`,
  )

const open = (script: URL, options: Partial<Parameters<typeof WorkerChannel.open>[0]> = {}) =>
  WorkerChannel.open<string, { said: string }>({
    script,
    file: '',
    deadline: 10_000,
    lost: () => undefined,
    ...options,
  })

const ask = (channel: WorkerChannel<string, { said: string }>, request: string, size = 0) =>
  new Promise((resolve, reject) => channel.send(request, size, { resolve, reject }))

const ECHO = `
  if (requests === null) process.exit()
  parentPort.postMessage({ answers: requests.map(({ number, request }) => ({ number, result: { said: request } })) })`

it('answers all requests sent before closing, in order', async () => {
  const { channel, id } = await open(worker(ECHO))
  const answers = Promise.all(['a', 'b', 'c'].map(request => ask(channel, request)))
  await channel.close()
  expect(id).toBe('id')
  expect(await answers).toEqual([{ said: 'a' }, { said: 'b' }, { said: 'c' }])
  await expect(ask(channel, 'd')).rejects.toThrow(StoreUnavailable)
})

it('reports a worker crash to pending requests, the owner and later requests', async () => {
  const lost: Error[] = []
  const { channel } = await open(worker("throw new Error('out of luck')"), { lost: error => lost.push(error) })
  const waiting = [ask(channel, 'a'), ask(channel, 'b')]
  for (const each of waiting) await expect(each).rejects.toThrow(StoreUnavailable)
  await expect(ask(channel, 'c')).rejects.toThrow(/out of luck/)
  expect(lost).toHaveLength(1)
  await channel.close()
})

it('fails what is not answered by the deadline, the outcome being unknown', async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval', 'performance'] })
  const { channel } = await open(worker('if (requests === null) process.exit()'))
  const answer = expect(ask(channel, 'a')).rejects.toThrow(
    new StoreUnavailable('The store did not answer within 10000 ms'),
  )
  vi.advanceTimersByTime(11_000)
  await answer
  vi.useRealTimers()
  await channel.close()
})

it('refuses more than it can keep, and takes on again when it was answered', async () => {
  const { channel } = await open(worker(ECHO))
  const first = ask(channel, 'a', 60 * 1024 * 1024)
  await expect(ask(channel, 'b', 10 * 1024 * 1024)).rejects.toThrow(/too busy/)
  await first
  await expect(ask(channel, 'c', 10 * 1024 * 1024)).resolves.toEqual({ said: 'c' })
  await channel.close()
})

it('gives back why the worker could not start, as the error it was', async () => {
  const failed = "{ failed: { failure: 'StoreCorrupt', message: 'events.sqlite is damaged' } }"
  await expect(open(worker('', failed))).rejects.toThrow(new StoreCorrupt('events.sqlite is damaged'))
})

it('fails when the worker ends or says nothing while it starts', async () => {
  const silent = new URL('data:text/javascript,setInterval(() => undefined, 1000)')
  await expect(open(silent, { deadline: 200 })).rejects.toThrow(/no answer within 200 ms/)
  await expect(open(new URL('data:text/javascript,'))).rejects.toThrow(/its worker ended/)
  await expect(open(new URL('data:text/javascript,throw new Error("no luck")'))).rejects.toThrow(/no luck/)
})
