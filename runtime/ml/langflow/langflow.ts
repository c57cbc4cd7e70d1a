import { z } from 'zod'
import type { Json } from '#schemas/event.ts'
import { fieldText, isObject } from '#schemas/json.ts'
import { accepted, refused } from '#schemas/refusal.ts'
import { baseOf } from '../../outbound/system-wire.ts'
import { type MlCheck, type OpenMlSystem, readAnswer } from '../ml-port.ts'

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/iu

const message = z
  .looseObject({ text: z.json().optional(), data: z.looseObject({ text: z.json().optional() }).nullish() })
  .nullish()

/** POST /api/v1/run/{flow}; the position of the text depends on the flow and the version. */
const runAnswer = z.looseObject({
  outputs: z.array(
    z.looseObject({
      outputs: z
        .array(
          z
            .looseObject({
              results: z.looseObject({ message }).nullish(),
              artifacts: z.looseObject({ message: z.json().optional() }).nullish(),
              messages: z.array(z.looseObject({ message: z.json().optional() })).nullish(),
            })
            .nullable(),
        )
        .default([]),
    }),
  ),
})

type Output = z.output<typeof runAnswer>['outputs'][number]['outputs'][number]

const textOf = (output: Output): string => {
  const said = output?.results?.message
  const places = [said?.text, said?.data?.text, output?.artifacts?.message, output?.messages?.[0]?.message]
  return places.find((text): text is string => typeof text === 'string' && text.trim() !== '') ?? ''
}

/** Langflow 1.x: returns answers but no intents. */
export const openLangflow: OpenMlSystem = (fields, wire) => {
  const base = baseOf(fields.url)
  const flow = fieldText(fields, 'channel_id')
  const key = fieldText(fields, 'channel_password')
  const headers = key === '' ? [] : [['x-api-key', key] as const]
  const { tweaks = null } = fields

  return {
    async send({ session, text, chosen = text }) {
      const answer = await wire.ask({
        method: 'POST',
        url: `${base}/api/v1/run/${encodeURIComponent(flow)}?stream=false`,
        headers,
        body: {
          input_value: chosen,
          input_type: 'chat',
          output_type: 'chat',
          output_component: fieldText(fields, 'extradetails'),
          session_id: session,
          ...(isObject(tweaks) ? { tweaks } : {}),
        },
      })
      const read = readAnswer(runAnswer, answer)
      if (!read.ok) return read
      const texts = read.value.outputs.flatMap(({ outputs }) => outputs.map(textOf)).filter(said => said !== '')
      return accepted({ texts, intents: [], entities: [], payload: read.value as Json })
    },
    understand: async () => refused('ml.unsupported'),
    async check() {
      const version = readAnswer(
        z.object({ version: z.string() }),
        await wire.ask({ method: 'GET', url: `${base}/api/v1/version`, headers }),
      )
      const checks: MlCheck[] = [{ part: 'system', result: version.ok ? accepted(version.value.version) : version }]
      if (!version.ok) return checks
      // A flow with an id is read directly, one with a name through the list of the key's flows.
      const url = UUID.test(flow)
        ? `${base}/api/v1/flows/${flow}`
        : `${base}/api/v1/flows/?header_flows=true&get_all=true`
      const found = await wire.ask({ method: 'GET', url, headers })
      const flows = found.ok ? [found.value].flat().filter(isObject) : []
      const own = flows.find(({ id, endpoint_name: name }) => id === flow || name === flow)
      const missing = refused('ml.notfound', { params: { status: 404, error: flow } })
      const named = typeof own?.name === 'string' ? accepted(own.name) : missing
      checks.push({ part: 'credentials', result: found.ok ? named : found })
      return checks
    },
  }
}
