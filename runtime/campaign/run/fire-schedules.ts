import { hash } from 'node:crypto'
import { systemCommand } from '#commands/port.ts'
import { nextRuns } from '#domain/cron/next-runs.ts'
import type { Row } from '#projections/port.ts'
import { allRows, SYSTEM_SCOPE } from '#projections/scope.ts'
import { fieldText } from '#schemas/json.ts'
import type { RuntimeParts } from '../../parts.ts'
import type { SendingParts } from './campaign-port.ts'

/** A fire later than this is skipped. */
const LATE_MS = 3_600_000
/** Older fires are ignored: several missed fires count as one. */
const LOOKED_BACK_MS = 25 * 3_600_000
/** Enough for one fire a minute over LOOKED_BACK_MS. */
const MAX_FIRES = 1600
/** Namespace of the ids of runs started by schedules. */
const RUNS = Buffer.from('7b0d1f5c5f0e4e7a9a5b2f6a3c1d8e90', 'hex')
const HEX = /^(.{8})(.{4}).(.{3}).(.{3})(.{12}).*$/

/** UUID version 5 of a campaign and an instant, so that all nodes compute the same run for one fire. */
const runIdOf = (campaign: string, instant: string): string => {
  const name = Buffer.concat([RUNS, Buffer.from(`${campaign} ${instant}`)])
  return hash('sha1', name).replace(HEX, '$1-$2-5$3-a$4-$5')
}

/** The last instant of a schedule up to now that was not handled yet; undefined when there is none. */
const dueInstant = (row: Row, now: number): Date | undefined => {
  const cron = fieldText(row, 'cron_expression')
  const looked = Date.parse(fieldText(row, 'fired_at'))
  if (cron === '' || Number.isNaN(looked)) return undefined
  const after = Math.max(looked, now - LOOKED_BACK_MS)
  const zone = fieldText(row, 'timezone') || 'America/Sao_Paulo'
  const [next] = instants(cron, after, zone, 1)
  if (next === undefined || next.getTime() > now) return undefined
  return instants(cron, after, zone, MAX_FIRES).findLast(instant => instant.getTime() <= now)
}

const instants = (cron: string, after: number, zone: string, count: number): readonly Date[] => {
  const found = nextRuns(cron, after, zone, count)
  return found.ok ? found.value : []
}

/** Starts scheduled runs; each instant once, even when several nodes check it. */
export const fireSchedules = async (
  { read, commands, failed }: Pick<SendingParts, 'commands' | 'failed'> & Pick<RuntimeParts, 'read'>,
  now: number,
): Promise<void> => {
  for (const row of await allRows(read, SYSTEM_SCOPE, 'campaign', { enabled: true })) {
    if (fieldText(row, 'cron_expression') === '') continue
    const fields = await commands.openFields('campaign', row.id)
    const instant = fields && dueInstant({ ...row, ...fields }, now)
    if (instant === undefined) continue
    const at = instant.toISOString()
    const input = { run: runIdOf(row.id, at), at, late: now - instant.getTime() > LATE_MS }
    const command = { entity: 'campaign', action: 'fire', id: row.id, input }
    const outcome = await commands.execute(systemCommand(command))
    if (!outcome.ok && outcome.refusal.code !== 'entity.notfound')
      failed(new Error(`a schedule could not start: ${outcome.refusal.code}`))
  }
}
