import { rmSync } from 'node:fs'
import { afterEach, describe, expect, test } from 'vitest'
import { makeCampaign } from './campaign.ts'
import { endedUpload, sendFile } from './contact-file.ts'
import { discard, type ParleyProcess, startParley } from './harness.ts'

let parley: ParleyProcess | undefined
afterEach(() => discard(parley))

const ROWS = 5000
const TIMEOUT_MS = 120_000
const LINES = Array.from({ length: ROWS }, (_, n) => `119${String(10_000_000 + n)};Pessoa ${n}`)
const FILE = `telefone;nome\n${LINES.join('\n')}\n`

/** Busy for about as long as the file takes to be written. */
const RULE = '$merge([$, {"field01": $string($sum([1..50]))}])'

describe('an upload whose node dies', () => {
  test.each([0, 400, 1000])(
    'resumes and finishes with no partial rows: killed after %i ms [P-1345]',
    async ms => {
      parley = await startParley()
      const { folder } = parley
      const admin = await parley.signIn()
      const campaign = await makeCampaign(admin, 'natal')
      const rules = { name: 'Perfil', campaign_id: campaign, transformation_pre_rule: RULE }
      const profile = (await admin.post('/campaignuploadprofile', rules)).body.id
      const { body } = await sendFile(admin, `/campaignuploadprofile/${profile}/upload`, FILE)
      await new Promise(resolve => setTimeout(resolve, ms))
      const before = (await admin.get(`/contact?campaign=${campaign}&size=1`)).body.total
      expect([0, ROWS]).toContain(before)
      await parley.end('SIGKILL')
      rmSync(`${folder}/conversations/audience.sqlite-wal`, { force: true })
      parley = await startParley({ folder })
      const again = await parley.signIn()
      const ended = await endedUpload(again, body.id, 60_000)
      expect(ended).toMatchObject({ status: 'succeeded', read: ROWS, valid: ROWS, invalid: 0, added: ROWS })
      const { total, items } = (await again.get(`/contact?campaign=${campaign}&size=1`)).body
      expect(total).toBe(ROWS)
      expect(items).toMatchObject([{ nome: `Pessoa ${ROWS - 1}`, fields: { field01: '1275' } }])
    },
    TIMEOUT_MS,
  )
})
