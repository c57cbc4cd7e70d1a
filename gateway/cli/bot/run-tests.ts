import type { JsonObject } from '#schemas/event.ts'
import { isObject, objectsOf, stringsOf, textAt } from '#schemas/json.ts'
import { type Run, WrongUsage } from '../command.ts'
import { type ApiClient, connect } from './api-client.ts'
import { FolderFault, readBotFolder } from './bot-folder.ts'

/** Tests of one request: the server gives each request 20 s. */
const BATCH = 20

/** Outcomes of tests of a bot, in the order of `tests`. @throws RequestFailed */
export const outcomesOf = async (
  api: ApiClient,
  bot: string,
  tests: readonly string[],
  more: Readonly<Record<string, unknown>>,
): Promise<readonly JsonObject[]> => {
  const outcomes: JsonObject[] = []
  for (let from = 0; from < tests.length; from += BATCH) {
    const body = { ...more, tests: tests.slice(from, from + BATCH), brief: true }
    outcomes.push(...objectsOf((await api.send('POST', `/bot/${bot}/tests`, { body })).body.outcomes))
  }
  return outcomes
}

/** A line, and for a failed test where and how. */
export const outcomeLines = (outcome: JsonObject): readonly string[] => {
  const name = textAt(outcome, 'name')
  if (outcome.passed === true) return [`ok    ${name} (${Math.round(Number(outcome.ms))} ms)`]
  const at = isObject(outcome.at) ? ` at block "${textAt(outcome.at, 'title')}"` : ''
  const step = outcome.step === undefined ? '' : ` in step ${outcome.step}`
  const line = outcome.line === undefined ? '' : ` (line ${outcome.line} of its file)`
  return [
    `FAIL  ${name}: ${textAt(outcome, 'kind') || 'failed'}${step}${line}${at}`,
    ...(outcome.expected === undefined ? [] : [`        expected ${JSON.stringify(outcome.expected)}`]),
    ...(outcome.got === undefined ? [] : [`        got      ${JSON.stringify(outcome.got)}`]),
  ]
}

/** `parley test`. */
export const runTests: Run = async input => {
  const [folder = ''] = input.operands
  const { at = 'draft', gating, json } = input.options
  const api = connect(input)
  const local = readBotFolder(folder)
  if (local === undefined) throw new WrongUsage(`${folder} has no bot.yaml: pull first.`)
  const rows = await api.list('conversationtest', { bot: local.bot })
  const chosen = rows.filter(row => gating !== true || row.gating === true)
  const ids = stringsOf(chosen.map(({ id }) => id ?? null))
  const outcomes = await outcomesOf(api, local.bot, ids, { at })
  if (outcomes.length < ids.length) throw new FolderFault('Tests were removed while they ran: try again.')
  const failed = outcomes.filter(({ passed }) => passed !== true).length
  if (json === true) process.stdout.write(`${JSON.stringify({ passed: ids.length - failed, failed, outcomes })}\n`)
  else {
    const lines = outcomes.flatMap(outcomeLines)
    const sum =
      ids.length === 0 ? 'The bot has no such conversation tests.' : `${ids.length - failed} passed, ${failed} failed`
    process.stdout.write(`${[...lines, sum].join('\n')}\n`)
  }
  return failed === 0 ? 0 : 1
}
