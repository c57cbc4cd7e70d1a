import { readdirSync } from 'node:fs'
import { type CompiledFlow, compileFlow } from '#domain/conversation/release.ts'
import { importFlow } from '#domain/flow/document/patch-flow.ts'
import { readFlow } from '#domain/flow/document/read-flow.ts'
import { parseFlowFile } from '#domain/flow/file/parse-flow-file.ts'
import type { JsonObject } from '#schemas/event.ts'
import { corpus, corpusExpectation, corpusJson } from '#test/fixture/corpus.ts'
import type { WalkService } from './outside.ts'

/** Numbers of outputs. `dead`: linked, but no conversation can take them. */
interface FlowOutputs {
  readonly reachable: number
  readonly dead: number
}

const OUTPUTS = corpusExpectation<Readonly<Record<string, FlowOutputs>>>('flows/expected.json', {
  event: { reachable: 96, dead: 7 },
  'hotel-chain': { reachable: 316, dead: 45 },
  printer: { reachable: 109, dead: 15 },
})

/** Every flow of the corpus, with the expected number of its outputs. */
export const FLOWS: readonly (FlowOutputs & { readonly name: string })[] = readdirSync(corpus('flows'))
  .filter(file => file.endsWith('.flow.json'))
  .map(file => file.replace('.flow.json', ''))
  .toSorted()
  .map(name => {
    const outputs = OUTPUTS[name]
    if (outputs === undefined) throw new Error(`No expected outputs of the flow ${name}`)
    return { name, ...outputs }
  })

interface Operator {
  readonly type: string
  readonly title: string
  readonly properties: JsonObject
}

interface RealFlowFile {
  readonly operators: Readonly<Record<string, Operator>>
  readonly links: JsonObject
}

/** Variables that the files lost in export from another product: their scripts and addresses read them. */
const RESULTS: Readonly<Record<string, string>> = {
  GetEncodedContactIdentity: 'helpDeskEncodedFromIdentity',
  GetOpenTicket: 'helpDeskGetOpenTicketCommandResponse',
  TreatGetOpenTicketResponse: 'helpDeskHasTicket',
  OpenTicketIfNotFound: 'helpDeskOpenTicketCommandResponse',
  TreatOpenTicketResponse: 'helpDeskHasTicket',
}
/** Long enough for a busy machine: silence is awaited as long. */
const TIMEOUT_MS = 3_000

const completed = ({ type, title, properties }: Operator, desk: string): JsonObject => {
  const resultVariable = RESULTS[title] ?? properties.resultVariable ?? ''
  switch (type) {
    case 'restservice': {
      const methodType = properties.methodType === 'set' ? 'put' : properties.methodType
      const limits = { retries: 0, timeout: TIMEOUT_MS }
      return {
        ...properties,
        ...limits,
        methodType: methodType ?? 'get',
        url: desk + String(properties.url),
        resultVariable,
      }
    }
    case 'handler':
      return { ...properties, resultVariable }
    case 'assignuserdata':
      return { ...properties, name: title }
    default:
      return properties
  }
}

/**
 * A flow of the corpus as its importer completes it: with the address of its help desk, result variables and stored
 * data of the person.
 */
export const realFlow = (name: string, desk: string): RealFlowFile => {
  const read = corpusJson<RealFlowFile>('flows', `${name}.flow.json`)
  const operators = Object.entries(read.operators).map(
    ([id, operator]) => [id, { ...operator, properties: completed(operator, desk) }] as const,
  )
  return { ...read, operators: Object.fromEntries(operators) }
}

export const compiledFile = (dialog: string, file: object): CompiledFlow => {
  const parsed = parseFlowFile(file)
  if (!parsed.ok) throw new Error(JSON.stringify(parsed))
  return compileFlow(dialog, 1, readFlow(importFlow(parsed.file)))
}

/** The help desk of the real flows: a ticket is open. Its answers are texts, as the flows read them. */
export const helpDesk: WalkService = ({ method }) => {
  const answer =
    method === 'GET'
      ? { resource: { items: [{ id: 'T1', status: 'Open' }] } }
      : { type: 'application/vnd.iris.ticket+json', resource: { id: 'T1', status: 'Open' } }
  return { status: 200, body: JSON.stringify(answer) }
}
