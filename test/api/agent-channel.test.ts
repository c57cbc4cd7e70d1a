import { afterAll, describe, expect, test } from 'vitest'
import { agentSystem } from '#schemas/agent-system.ts'
import { agentchannel } from '#schemas/entities/agentchannel.ts'
import {
  ROCKETCHAT_SECRET,
  ROCKETCHAT_TOKEN,
  ROCKETCHAT_USER,
  startRocketChatServer,
} from '#test/doubles/agent/rocketchat-server.ts'
import { openAdmin } from './open-parley.ts'
import { level, person } from './people.ts'

const { parley, admin } = await openAdmin({ env: { ALLOW_PRIVATE_ADDRESSES: 'true' } })

const rocketchat = await startRocketChatServer()
const bot = (await admin.post('/bot', { name: 'Lume', agentenabled: true })).body.id
afterAll(() => rocketchat.close())

const made = async (fields: object) => {
  const { status, text, body } = await admin.post('/agentchannel', { bot, ...fields })
  expect(status, text).toBe(201)
  return (await admin.get(`/agentchannel/${body.id}`)).body as Record<string, unknown> & { id: string }
}
const refusedFields = async (fields: object) => {
  const { status, body } = await admin.post('/agentchannel', { bot, ...fields })
  expect(status).toBe(422)
  return body.errors.map(({ path, code }) => `${path} ${code}`)
}
const rocketChatFields = () => ({
  type: 'rocketchat',
  url: rocketchat.url,
  channel_id: ROCKETCHAT_USER,
  channel_password: ROCKETCHAT_TOKEN,
  verifytoken: ROCKETCHAT_SECRET,
  defaultqueue: 'sac',
})
/** Fields of every channel. */
const OWN = {
  queue_tracker_enabled: true,
  queue_tracker_clear_enabled: true,
  queue_tracker_clear_by_cron: '*/30 8-20 * * 1-6',
  queue_tracker_config: { forgotten_after: 15, alert_at: 12 },
  timed_out_message: 'Ninguém pôde atender agora.',
}
/** Fields of every outside system. */
const COMMON = {
  ...OWN,
  channel_origin: 'https://agents.example',
  message_to_identify_user_waiting: 'na fila',
  send_agent_comment_to_user: true,
  message_to_identify_agent_connected: 'entrou',
  message_to_identify_agent_transfered: 'transferido',
}

describe('an agent channel', () => {
  test('has the same fields of queue and messages with every outside system [D-3.2.01] [D-3.2.17] [C-2.66] [P-2098]', async () => {
    expect(agentchannel.fields.type.options).toEqual([
      'parley',
      'rocketchat',
      'tiledesk',
      'aacc',
      'emc',
      'avayaccaas',
      'avayaacr',
      'avayasmcc',
      'presence',
      'cxone',
      'xgen',
      'gocontact',
      'five9',
    ])
    for (const type of agentchannel.fields.type.options) {
      const fields = type === 'parley' ? OWN : COMMON
      expect(await made({ type, ...fields })).toMatchObject({ type, name: agentSystem(type)?.title, ...fields })
    }
    const { id } = await made({ type: 'five9', name: 'SAC' })
    expect((await admin.patch(`/agentchannel/${id}`, { name: '' }, 1)).status).toBe(200)
    expect((await admin.get(`/agentchannel/${id}`)).body.name).toBe(agentSystem('five9')?.title)
    await admin.delete(`/agentchannel/${id}`)
    expect((await admin.get(`/agentchannel?bot=${bot}`)).body.total).toBe(13)
  })

  test.each([
    [
      'rocketchat',
      {
        url: 'https://chat.example',
        channel_id: 'user',
        channel_password: 'planted-1',
        verifytoken: 'planted-2',
        defaultqueue: 'sac',
        check_agent_availibility_interval: 2000,
        check_agent_availibility_retries: 3,
        check_agent_message_availibility_interval: 1000,
        queue_enabled: true,
        attachment_needs_authentication: true,
      },
    ],
    [
      'tiledesk',
      { url: 'https://desk.example/v3', channel_id: 'project', user: 'a@example.com', channel_password: 'planted-1' },
    ],
    [
      'aacc',
      {
        url: 'https://aacc.example:8445',
        defaultqueue: 'WC_Default_Skillset',
        certificate: '-----BEGIN CERTIFICATE-----',
        play_comfort_message: true,
        play_comfort_message_interval: 40,
        websocket_ping_interval: 10_000,
        websocket_reconnect_maxtries: 5,
        websocket_reconnect_retry_interval: 500,
      },
    ],
    ['emc', { url: 'https://emc.example', defaultqueue: 'one' }],
    [
      'avayaccaas',
      {
        url: 'https://na.api.avayacloud.com',
        channel_id: 'client',
        verifytoken: 'planted-1',
        channel_password: 'planted-2',
        provider_id: '6d2b7a6f',
        defaultqueue: 'integration-1',
      },
    ],
    ['avayaacr', { url: 'https://acr.example', channel_extra_info: { operations: {} } }],
    ['avayasmcc', { url: 'https://smcc.example', channel_extra_info: { operations: {} } }],
    [
      'presence',
      {
        url: 'https://presence.example',
        user: 'web',
        channel_password: 'planted-1',
        service_id: '12',
        supervisor_url: 'https://supervisor.example',
        supervisor_token_userid: 't',
        supervisor_token_password: 'planted-2',
        supervisor_login_userid: 'l',
        supervisor_login_password: 'planted-3',
        supervisor_monitoring_services: '12,13',
        number_of_job_workers: 15,
      },
    ],
    ['cxone', { long_polling_timeout: 60, channel_auth_url: 'https://na1.nice-incontact.com' }],
    [
      'xgen',
      {
        url: 'https://xgen.example',
        defaultqueue: 'one',
        monitoring_services: 'a, b',
        custom_message_service_url: 'https://messages.example',
      },
    ],
    ['gocontact', { url: 'https://gocontact.example' }],
    ['five9', { url: 'https://app.five9.com', channel_id: 'tenant', defaultqueue: 'Chat' }],
  ])(
    'of %s keeps its own fields and no secret in clear [D-3.2.04] [D-3.2.06] [D-3.2.07] [D-3.2.08] [D-3.2.09] [D-3.2.10] [D-3.2.11] [D-3.2.12] [D-3.2.13] [D-3.2.14] [D-3.2.15] [D-3.2.16]',
    async (type, fields) => {
      const kept = await made({ type, ...fields })
      for (const [name, value] of Object.entries(fields))
        expect(kept[name], name).toEqual(String(value).startsWith('planted') ? { set: true } : value)
      const { text } = await admin.get(`/agentchannel/${kept.id}/history`)
      expect(text).not.toContain('planted')
      expect(kept.webhook).toBe(type === 'aacc' || type === 'cxone' ? null : `/agent/${kept.id}/webhook`)
    },
  )

  test('begins with what is usual, and says what it does not take [D-5.06] [D-5.07] [D-5.08] [D-9.01] [D-3.2.12] [D-3.2.13] [P-1860]', async () => {
    expect(await made({ type: 'presence' })).toMatchObject({ number_of_job_workers: 15, queue_tracker_enabled: true })
    expect(await made({ type: 'cxone' })).toMatchObject({ long_polling_timeout: 30 })
    expect(await made({ type: 'rocketchat' })).toMatchObject({
      check_agent_availibility_interval: 5000,
      check_agent_availibility_retries: 24,
      check_agent_message_availibility_interval: 0,
      long_polling_timeout: 30,
    })
    for (const seconds of [-1, 61, 1.5])
      expect(await refusedFields({ type: 'cxone', long_polling_timeout: seconds })).toHaveLength(1)
    expect(await refusedFields({ type: 'rocketchat', long_polling_timeout: 5 })).toEqual([
      'long_polling_timeout unknown',
    ])
    expect(await refusedFields({ type: 'presence', url: 'http://presence.example' })).toEqual(['url format'])
    expect(await refusedFields({ type: 'presence', supervisor_url: 'http://s.example' })).toEqual([
      'supervisor_url format',
    ])
    for (const services of ['12;13', '12,,13', '12, ', ','])
      expect(await refusedFields({ type: 'presence', supervisor_monitoring_services: services })).toEqual([
        'supervisor_monitoring_services format',
      ])
    expect(await refusedFields({ type: 'xgen', monitoring_services: 'a;b' })).toEqual(['monitoring_services format'])
    expect(
      await refusedFields({ type: 'emc', queue_tracker_clear_enabled: true, queue_tracker_clear_by_cron: 'at noon' }),
    ).toEqual(['queue_tracker_clear_by_cron format'])
    for (const config of [{ alert_at: 0 }, { other: 1 }, [1], { forgotten_after: 1.5 }])
      expect(await refusedFields({ type: 'emc', queue_tracker_config: config })).toEqual([
        'queue_tracker_config format',
      ])
  })

  test('is configured when it has what its system needs, and not before [D-4.02]', async () => {
    const { id, configured } = await made({ type: 'rocketchat', url: rocketchat.url })
    expect(configured).toBe(false)
    await admin.patch(`/agentchannel/${id}`, { verifytoken: ROCKETCHAT_SECRET }, 1)
    expect((await admin.get(`/agentchannel/${id}`)).body.configured).toBe(true)
    const listed = (await admin.get(`/agentchannel?bot=${bot}&configured=true`)).body.items
    expect(listed.map(({ id: found }) => found)).toContain(id)
    await admin.patch(`/agentchannel/${id}`, { url: null }, 2)
    expect((await admin.get(`/agentchannel/${id}`)).body.configured).toBe(false)
  })

  test('is taken up by the bot that runs, as soon as it is saved [D-8.02] [P-1180]', async () => {
    const { id } = await made(rocketChatFields())
    const running = async () => (await admin.get(`/agentchannel/${id}/running`)).body
    expect(await running()).toEqual({ running: 0, updated: 0, heard: true })
    expect((await admin.post(`/bot/${bot}/start`)).status).toBe(200)
    expect(await running()).toEqual({ running: 1, updated: 1, heard: true })
    await admin.patch(`/agentchannel/${id}`, { enable: false }, 1)
    expect(await running()).toMatchObject({ running: 0 })
    await admin.post(`/bot/${bot}/stop`)
  })
})

describe('the connection test of an agent channel', () => {
  const tested = async (id: string) => {
    const { status, text, body } = await admin.post(`/agentchannel/${id}/test`, {})
    expect(status, text).toBe(200)
    return body as unknown as {
      ok: boolean
      checks: readonly { part: string; ok: boolean; detail: string; code?: string }[]
    }
  }

  test('tells part by part what works, and never the key [P-1181]', async () => {
    const { id } = await made(rocketChatFields())
    expect(await tested(id)).toMatchObject({
      ok: true,
      checks: [
        { part: 'system', ok: true },
        { part: 'credentials', ok: true, detail: 'integration' },
        { part: 'queue', ok: true, detail: 'SAC' },
        { part: 'agents', ok: true },
      ],
    })
    await admin.patch(`/agentchannel/${id}`, { channel_password: 'planted-wrong', defaultqueue: 'nowhere' }, 1)
    rocketchat.is.isOnline = false
    const wrong = await tested(id)
    rocketchat.is.isOnline = true
    expect(wrong.ok).toBe(false)
    expect(JSON.stringify(wrong)).not.toContain('planted')
    expect(wrong.checks.map(({ part, code }) => `${part} ${code}`)).toContain('system agent.unauthorized')
    const gone = await tested((await made({ ...rocketChatFields(), url: 'http://127.0.0.1:9' })).id)
    expect(gone.checks).toMatchObject([{ part: 'system', ok: false, code: 'outbound.unreachable' }])
  })

  test('is for those who may test, within their levels, and writes nothing [P-1181]', async () => {
    const { id, hierarchylevel } = await made(rocketChatFields())
    const reader = await person(parley, admin, {
      username: 'reader',
      level: String(hierarchylevel),
      actions: ['readagentchannel'],
    })
    expect((await reader.client.post(`/agentchannel/${id}/test`, {})).status).toBe(403)
    const elsewhere = await level(admin, 'Outra')
    const outsider = await person(parley, admin, {
      username: 'outsider',
      level: elsewhere,
      actions: ['testagentchannel'],
    })
    expect((await outsider.client.post(`/agentchannel/${id}/test`, {})).status).toBe(404)
    await tested(id)
    expect((await admin.get(`/agentchannel/${id}`)).body.revision).toBe(1)
    expect((await admin.post('/agentchannel/nothing/test', {})).status).toBe(404)
  })
})
