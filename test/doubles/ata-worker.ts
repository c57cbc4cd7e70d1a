import { parentPort } from 'node:worker_threads'
import { parseAta } from '#domain/expression/json-ata.ts'
import type { JsonObject } from '#schemas/event.ts'

export interface AtaQuestion {
  readonly source: string
  readonly input: unknown
  readonly bindings: JsonObject | undefined
}

parentPort?.on('message', async ({ source, input, bindings }: AtaQuestion) => {
  const parsed = parseAta(source)
  parentPort?.postMessage(parsed.ok ? await parsed.value.evaluateOver(input, bindings) : parsed)
})
