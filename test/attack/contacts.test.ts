import { readFileSync } from 'node:fs'
import { setTimeout as pause } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { PERMISSIONS } from '#domain/people/permission.ts'
import { makeCampaign } from '#test/api/campaign.ts'
import { endedUpload, sendFile } from '#test/api/contact-file.ts'
import { type Client, discard, type ParleyProcess, startParley } from '#test/api/harness.ts'
import { level, person } from '#test/api/people.ts'
import { workbookOf } from '#test/fixture/workbook.ts'

/** ms: longest wait for `/health/live`. Planned in one piece, a file of 65,000 lines takes 3.6 s. */
const LIVE_MS = 500
/** ms: longest wait for the preview of a small file of another level. All 8 large ones take some 12 s. */
const OTHER_MS = 4_000
const LONG = 300_000
const MB = 1_000_000

let parley: ParleyProcess
let admin: Client

beforeAll(async () => {
  parley = await startParley({ env: { WORK_PROCESSES: '1' } })
  admin = await parley.signIn()
}, LONG)
afterAll(() => discard(parley))

/** Longest wait for `/health/live` until the work is done, without what this process itself waited for its processor. */
const livenessDuring = async (work: Promise<unknown>): Promise<number> => {
  let isDone = false
  let longest = 0
  let lag = 0
  let due = performance.now() + 10
  const timer = setInterval(() => {
    lag = Math.max(lag, performance.now() - due)
    due = performance.now() + 10
  }, 10)
  const done = work.finally(() => {
    isDone = true
  })
  while (!isDone) {
    lag = 0
    const began = performance.now()
    expect((await parley.anyone.get('/health/live')).status).toBe(200)
    longest = Math.max(longest, performance.now() - began - lag)
    await pause(20)
  }
  clearInterval(timer)
  await done
  return longest
}

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
    expect(await livenessDuring(tried)).toBeLessThan(LIVE_MS)
    const { status, body } = await tried
    expect(status).toBe(202)
    expect(body).toMatchObject({ id: null, ...countsOf(65_000), error: null, again: null })
    expect(body.faults).toHaveLength(100)
    const faults = body.faults as readonly object[]
    expect(faults[0]).toMatchObject({ line: 952, code: 'uploadline' })
    expect(faults[20]).toMatchObject({ line: 972, column: 0, code: 'contactphoneformat' })

    const shown = sendFile(admin, `/campaign/${campaign}/contacts/preview`, file)
    expect(await livenessDuring(shown)).toBeLessThan(LIVE_MS)
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
    expect(await livenessDuring(tried)).toBeLessThan(LIVE_MS)
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
    expect(await livenessDuring(added)).toBeLessThan(LIVE_MS)
    isDone = true
    await watching
    expect(await added).toMatchObject(countsOf(20_000))
    expect([0, 19_000]).toEqual(expect.arrayContaining([...totals]))
    expect((await admin.get(`/contact?campaign=${campaign}&size=1`)).body.total).toBe(19_000)

    const rejected = admin.get(`/campaignupload/${begun.id}/rejects`)
    expect(await livenessDuring(rejected)).toBeLessThan(LIVE_MS)
    const lines = (await rejected).text.trim().split('\r\n')
    expect(lines).toHaveLength(1 + 600 + 400)
    expect(lines[1]).toMatch(/^972,phone,.*,abc$/)
    expect(lines[601]).toMatch(/^952,phone,.*,11960000000$/)
  },
  LONG,
)

/** Bytes of resident memory of the gateway and its processes. */
const residentBytes = (): number => {
  const children = readFileSync(`/proc/${parley.pid}/task/${parley.pid}/children`, 'utf8').trim().split(' ')
  return [parley.pid, ...children].reduce((sum: number, pid) => {
    try {
      return sum + Number(readFileSync(`/proc/${pid}/statm`, 'latin1').split(' ')[1]) * 4096
    } catch {
      return sum
    }
  }, 0)
}

test.runIf(process.platform === 'linux')(
  'bounds the memory of 8 previews of large workbooks, and previews files for others meanwhile [P-1673]',
  async () => {
    const campaign = await makeCampaign(admin, 'pasta')
    const path = `/campaign/${campaign}/contacts/preview`
    const home = await level(admin, 'Vizinha')
    const other = await person(parley, admin, { username: 'vizinha', level: home, actions: [...PERMISSIONS] })
    const otherPath = `/campaign/${await makeCampaign(other.client, 'vizinha')}/contacts/preview`
    const row = (_: unknown, n: number) => `<row r="${n + 1}"><c r="A${n + 1}"><v>1</v></c></row>`
    const rows = Array.from({ length: 140_000 }, row).join('')
    const many = workbookOf(`<worksheet><sheetData>${rows}</sheetData></worksheet>`)
    expect(many.length).toBeLessThan(MB)
    const before = residentBytes()
    let peak = 0
    const watching = setInterval(() => {
      peak = Math.max(peak, residentBytes())
    }, 50)
    const previews = Promise.all(Array.from({ length: 8 }, () => sendFile(admin, path, many)))
    const live = livenessDuring(previews)
    for (let count = 0; count < 3; count += 1) {
      const began = performance.now()
      const { status } = await sendFile(other.client, otherPath, 'phone\n11987654321\n')
      expect(status).toBe(200)
      expect(performance.now() - began).toBeLessThan(OTHER_MS)
    }
    expect(await live).toBeLessThan(LIVE_MS)
    clearInterval(watching)
    for (const { status, body } of await previews) {
      expect(status).toBe(200)
      expect(body.count).toBe(139_999)
    }
    expect(peak - before).toBeLessThan(700 * MB)
  },
  LONG,
)
