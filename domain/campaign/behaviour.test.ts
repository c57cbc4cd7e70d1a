import { describe, expect, it } from 'vitest'
import type { Json } from '#schemas/event.ts'
import { type CampaignFacts, campaignBehaviour } from './behaviour.ts'

const TIME = '2026-11-23T12:00:00.000Z'
const facts: CampaignFacts = {
  run: 'r2',
  template: {
    ...{ metaaccount: 'a1', status: 'APPROVED', category: 'utility', templateType: 'TEXT' },
    body: 'Oi, {{1}}!',
  },
  account: { phone_number_id: '1', access_token: { $secret: 'x' } },
  channel: undefined,
}
const live = (fields: Record<string, Json>) =>
  ({
    status: 'live',
    id: 'c1',
    revision: 1,
    level: null,
    fields: {
      ...{ enabled: true, template: 't1', metaaccount: 'a1', mapping: [{ variable: '1', source: 'nome' }] },
      ...fields,
    },
  }) as const
const context = { time: TIME, actor: null, facts }

const told = (action: keyof typeof campaignBehaviour.commands, fields: Record<string, Json>, input = {}) => {
  const result = campaignBehaviour.commands[action].decide(live(fields), input, context)
  return result.ok ? (result.value[0]?.data.fields ?? 'nothing') : result.refusal.code
}

describe('a campaign', () => {
  it('that is disabled while it sends pauses, and its schedule counts from when it was set [D-4.06] [P-1326]', () => {
    const changed = campaignBehaviour.onChange(live({ run_status: 'running' }), { enabled: false }, context)
    expect(changed).toEqual({
      ok: true,
      value: { enabled: false, fired_at: TIME, run_status: 'pausing', run_reason: 'disabled' },
    })
    expect(told('resume', { run_status: 'paused', enabled: false })).toBe('campaign.disabled')
  })

  it('is not removed while a run is open, and its cron expression has five fields [C-5.18] [P-1326]', () => {
    expect(campaignBehaviour.onRemove(live({ run_status: 'waiting' }))).toMatchObject({ ok: false })
    expect(campaignBehaviour.onRemove(live({ run_status: 'completed' }))).toEqual({ ok: true, value: null })
    expect(campaignBehaviour.onCreate({ cron_expression: '0 0 9 * * *' }, context)).toMatchObject({ ok: false })
    expect(campaignBehaviour.onCreate({ cron_expression: '0 9 * * *' }, context)).toMatchObject({
      value: { fired_at: TIME },
    })
  })

  it('says what is missing before it can be sent [P-1302]', () => {
    const broken = { ...context, facts: { ...facts, account: undefined } }
    const state = live({ mapping: [] })
    const result = campaignBehaviour.commands.start.decide(state, {}, broken)
    expect(result.ok ? [] : result.refusal.errors?.map(({ path, params }) => [path, params?.rule])).toEqual([
      ['metaaccount', 'campaignaccount'],
      ['mapping', 'campaignmapping'],
    ])
  })

  it('starts by its schedule once for an instant, and records what it skips [P-1323] [P-1324]', () => {
    const fire = { run: 'r9', at: '2026-11-23T12:00:00.000Z', late: false }
    const scheduled = { cron_expression: '0 9 * * *', fired_at: '2026-11-22T12:00:00.000Z' }
    expect(told('fire', scheduled, fire)).toMatchObject({ run: 'r9', run_status: 'planned', fired_at: fire.at })
    expect(told('fire', { ...scheduled, fired_at: fire.at }, fire)).toBe('nothing')
    expect(told('fire', { ...scheduled, run_status: 'running' }, fire)).toEqual({
      fired_at: fire.at,
      fire_skipped: 'open',
    })
    expect(told('fire', scheduled, { ...fire, late: true })).toEqual({ fired_at: fire.at, fire_skipped: 'late' })
    expect(told('fire', { ...scheduled, enabled: false }, fire)).toBe('nothing')
  })

  it('takes from its sender only what fits its present run and state [P-1327]', () => {
    const record = { run: 'r1', status: 'running', reason: null }
    expect(told('record', { run: 'r1', run_status: 'planned' }, record)).toEqual({
      run_status: 'running',
      run_reason: null,
    })
    expect(told('record', { run: 'r0', run_status: 'planned' }, record)).toBe('nothing')
    expect(told('record', { run: 'r1', run_status: 'pausing' }, record)).toBe('nothing')
    const paused = { run: 'r1', status: 'paused', reason: null }
    expect(told('record', { run: 'r1', run_status: 'pausing', run_reason: 'person' }, paused)).toEqual({
      run_status: 'paused',
      run_reason: 'person',
    })
  })

  it('answers a command that the wanted state makes needless, and refuses one that has nothing to work on [P-1327]', () => {
    expect(told('pause', { run_status: 'paused' })).toBe('nothing')
    expect(told('pause', { run_status: 'completed' })).toBe('campaign.none')
    expect(told('resume', { run_status: 'running' })).toBe('campaign.notpaused')
    expect(told('cancel', { run_status: 'completed' })).toBe('campaign.none')
    expect(told('retryfailed', {})).toBe('campaign.none')
    expect(told('retryfailed', { run: 'r1', run_status: 'completed' })).toMatchObject({
      run_of: 'r1',
      run_kind: 'failed',
    })
  })
})
