import { setTimeout as pause } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { makeCampaign } from '#test/api/campaign.ts'
import { endedUpload, sendFile } from '#test/api/contact-file.ts'
import { type Client, discard, type ParleyProcess, startParley } from '#test/api/harness.ts'
import { livenessDuring } from './liveness.ts'

/** ms: longest wait for `/health/live`. Planned in one piece, a file of 65,000 lines takes 3.6 s. */
const LIVE_MS = 500
const LONG = 300_000

let parley: ParleyProcess
let admin: Client

beforeAll(async () => {
  parley = await startParley({ env: { WORK_PROCESSES: '1' } })
  admin = await parley.signIn()
}, LONG)
afterAll(() => discard(parley))

/** A file of numbers: of each thousand, 20 lines repeat the first one and 30 have no number. */
const fileOf = (lines: number): string => {
  const line = (n: number) => {
    const place = n % 1000
    if (place >= 970) return 'abc'
    return `119${60_000_000 + (place >= 950 ? n - place : n) * 7}`
  }
  return `phone\n${Array.from({ length: lines }, (_, n) => line(n)).join('\n')}\n`
}
const countsOf = (lines: number) => ({
  ...{ status: 'partial', read: lines, valid: lines * 0.97, invalid: lines * 0.03 },
  ...{ dropped: 0, duplicate: lines * 0.02, suppressed: 0, added: lines * 0.95 },
})
const importPath = (campaign: string) => {
  const mapping = encodeURIComponent(JSON.stringify({ columns: { phone: 0 }, header: true, country: 'BR' }))
  return `/campaign/${campaign}/contacts/import?partial=true&mapping=${mapping}`
}

test(
  'tries a file of 65,000 contacts and shows its first lines, and answers all the while [P-1670]',
  async () => {
    const campaign = await makeCampaign(admin, 'ensaio')
    const file = fileOf(65_000)
    const tried = sendFile(admin, `${importPath(campaign)}&dryrun=true`, file)
    expect(await livenessDuring(parley, tried)).toBeLessThan(LIVE_MS)
    const { status, body } = await tried
    expect(status).toBe(202)
    expect(body).toMatchObject({ id: null, ...countsOf(65_000), error: null, again: null })
    expect(body.faults).toHaveLength(100)
    const faults = body.faults as readonly object[]
    expect(faults[0]).toMatchObject({ line: 952, code: 'uploadline' })
    expect(faults[20]).toMatchObject({ line: 972, column: 0, code: 'contactphoneformat' })

    const shown = sendFile(admin, `/campaign/${campaign}/contacts/preview`, file)
    expect(await livenessDuring(parley, shown)).toBeLessThan(LIVE_MS)
    const { body: preview } = await shown
    expect(preview).toMatchObject({ count: 65_000, columns: [{ name: 'phone', filled: 65_000 }], faults: [] })
    expect(preview.rows).toHaveLength(50)
  },
  LONG,
)

test(
  'tries a file of 240,000 lines without a number, and answers all the while [P-1671]',
  async () => {
    const campaign = await makeCampaign(admin, 'vazio')
    const tried = sendFile(admin, `${importPath(campaign)}&dryrun=true`, `phone\n${'abc\n'.repeat(240_000)}`)
    expect(await livenessDuring(parley, tried)).toBeLessThan(LIVE_MS)
    const { body } = await tried
    expect(body).toMatchObject({ status: 'partial', read: 240_000, valid: 0, invalid: 240_000, added: 0 })
    expect(body.faults).toHaveLength(100)
  },
  LONG,
)

test(
  'adds 20,000 contacts as a whole and lists the rejected lines, and answers all the while [P-1672]',
  async () => {
    const campaign = await makeCampaign(admin, 'inteiro')
    const { body: begun } = await sendFile(admin, importPath(campaign), fileOf(20_000))
    let isDone = false
    const totals = new Set<number>()
    const watching = (async () => {
      while (!isDone) {
        totals.add((await admin.get(`/contact?campaign=${campaign}&size=1`)).body.total)
        await pause(20)
      }
    })()
    const added = endedUpload(admin, begun.id, LONG)
    expect(await livenessDuring(parley, added)).toBeLessThan(LIVE_MS)
    isDone = true
    await watching
    expect(await added).toMatchObject(countsOf(20_000))
    expect([0, 19_000]).toEqual(expect.arrayContaining([...totals]))
    expect((await admin.get(`/contact?campaign=${campaign}&size=1`)).body.total).toBe(19_000)

    const rejected = admin.get(`/campaignupload/${begun.id}/rejects`)
    expect(await livenessDuring(parley, rejected)).toBeLessThan(LIVE_MS)
    const lines = (await rejected).text.trim().split('\r\n')
    expect(lines).toHaveLength(1 + 600 + 400)
    expect(lines[1]).toMatch(/^972,phone,.*,abc$/)
    expect(lines[601]).toMatch(/^952,phone,.*,11960000000$/)
  },
  LONG,
)
