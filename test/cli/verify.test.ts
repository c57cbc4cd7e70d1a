import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { afterAll, expect, test } from 'vitest'
import { hashOf } from '#commands/pipeline/append.ts'
import { Folders, parley, verifyHere, worked } from './parley.ts'

const folders = new Folders()
const whole = folders.next()

const { sample } = await worked(whole)
const kept = `${whole}.seals`
await parley(['seals', 'export', '--output', kept], { PARLEY_DATA: whole })
afterAll(() => folders.clear())

/** A copy of the events' file, changed by hand. */
const changed = (change: (db: DatabaseSync) => void): string => {
  const folder = folders.copyOf(whole)
  const db = new DatabaseSync(join(folder, 'events.sqlite'))
  change(db)
  db.close()
  return folder
}

/** Changes a copy of the events' file by hand, then has it verified. */
const tampered = (change: (db: DatabaseSync) => void, options: Readonly<Record<string, string>> = {}) =>
  verifyHere(changed(change), options)

const at = (revision: number) => `stream = '${sample}' AND revision = ${revision}`
/** Findings printed by `verify`. */
const found = (output: string) => output.split('\n').filter(line => /^[A-Z]{4,} {2}/.test(line))

test('a log that nobody altered holds, with its seals and against those kept elsewhere', async () => {
  const { code, output } = await parley(['verify', '--seal', kept], { PARLEY_DATA: whole })
  expect(output).toMatch(/\d seals, the last one \(number \d+\) of .*; 0 events came after it/)
  expect(output).toContain('request-… (answers kept for idempotency keys, removed after a day)')
  expect(output).toMatch(/The chain holds\.\n$/)
  expect(code).toBe(0)
})

test('one changed byte is named by its stream and revision', async () => {
  const folder = changed(db => db.exec(`UPDATE event SET data = replace(data, '"2"', '"7"') WHERE ${at(3)}`))
  const { code, output } = await parley(['verify'], { PARLEY_DATA: folder })
  expect(found(output)).toEqual([`CHANGED  ${sample}  revision 3  is not what was written`])
  expect(output).toContain('The chain does not hold: 1 finding.')
  expect(code).toBe(1)
})

test('a byte that leaves no JSON behind, and a byte of another column, are named as well', async () => {
  const broken = await tampered(db => db.exec(`UPDATE event SET data = replace(data, '}}', '}]') WHERE ${at(2)}`))
  expect(found(broken.output)).toEqual([`CHANGED  ${sample}  revision 2  is not what was written`])
  const time = await tampered(db => db.exec(`UPDATE event SET time = replace(time, '2', '3') WHERE ${at(4)}`))
  expect(found(time.output)).toEqual([`CHANGED  ${sample}  revision 4  is not what was written`])
  const hash = await tampered(db => db.exec(`UPDATE event SET hash = '${'a'.repeat(64)}' WHERE ${at(4)}`))
  expect(found(hash.output)).toEqual([`CHANGED  ${sample}  revision 4  is what was written, but its hash was changed`])
})

test('names one removed event, whether or not later ones are renumbered', async () => {
  const gap = await tampered(db => db.exec(`DELETE FROM event WHERE ${at(3)}`))
  expect(found(gap.output)).toEqual([`REMOVED  ${sample}  revision 3  revision 3 is missing`])
  const closed = await tampered(db => {
    db.exec(`DELETE FROM event WHERE ${at(3)}`)
    for (const revision of [4, 5]) db.exec(`UPDATE event SET revision = ${revision - 1} WHERE ${at(revision)}`)
  })
  expect(found(closed.output)).toEqual([
    `REMOVED  ${sample}  revision 3  an event before it was removed and what follows numbered anew`,
  ])
  expect(closed.code).toBe(1)
})

test('names one inserted event, inside a stream or as a new stream among sealed events', async () => {
  const between = await tampered(db => {
    for (const revision of [5, 4, 3]) db.exec(`UPDATE event SET revision = ${revision + 1} WHERE ${at(revision)}`)
    db.exec(`INSERT INTO event SELECT (SELECT max(position) + 1 FROM event), stream, 3, 'made-up', type, version, time, actor,
      correlation, causation, level, hash, data FROM event WHERE ${at(2)}`)
    db.exec(`UPDATE event SET position = (SELECT max(position) + 1 FROM event) WHERE ${at(4)}`)
    db.exec(`UPDATE event SET position = (SELECT max(position) + 1 FROM event) WHERE ${at(5)}`)
    db.exec(`UPDATE event SET position = (SELECT max(position) + 1 FROM event) WHERE ${at(6)}`)
  })
  expect(found(between.output)).toContain(
    `INSERTED  ${sample}  revision 3  was put between two events that belong together`,
  )
  const forged = {
    id: 'forged',
    type: 'CodeSampleCreated',
    version: 1,
    data: { fields: { name: 'forged' } },
    time: '2026-01-01T00:00:00.000Z',
    actor: null,
    correlation: 'forged',
    causation: null,
    level: null,
  }
  const hash = hashOf('', 'codesample-forged', 1, forged)
  const apart = await tampered(db => {
    db.exec('UPDATE event SET position = -2 * position')
    db.exec('UPDATE event SET position = -position')
    db.exec(`INSERT INTO event SELECT position + 1, 'codesample-forged', 1, 'forged', 'CodeSampleCreated', 1, '${forged.time}',
      NULL, 'forged', NULL, NULL, '${hash}', '${JSON.stringify(forged.data)}' FROM event WHERE ${at(2)}`)
  })
  expect(found(apart.output)).toEqual([
    expect.stringMatching(/^INSERTED {2}codesample-forged {2}revision 1 {2}stands among the events of seal \d+/),
  ])
})

test('two events that changed places are named, in their stream and in the log', async () => {
  const stream = await tampered(db => {
    db.exec(`UPDATE event SET revision = 99 WHERE ${at(2)}`)
    db.exec(`UPDATE event SET revision = 2 WHERE ${at(3)}`)
    db.exec(`UPDATE event SET revision = 3 WHERE ${at(99)}`)
  })
  expect(found(stream.output)).toContain(`REORDERED  ${sample}  revision 2  was written as revision 3`)
  const log = await tampered(db => {
    const [first, second] = db
      .prepare("SELECT position FROM event WHERE revision = 1 AND stream LIKE 'codesample-%'")
      .all()
    db.exec(`UPDATE event SET position = -1 WHERE position = ${first?.position}`)
    db.exec(`UPDATE event SET position = ${first?.position} WHERE position = ${second?.position}`)
    db.exec(`UPDATE event SET position = ${second?.position} WHERE position = -1`)
  })
  expect(found(log.output)[0]).toMatch(/^REORDERED {2}/)
  expect(log.code).toBe(1)
})

test('a stream cut at its end is named by the seal that knows more', async () => {
  const cut = await tampered(db => db.exec(`DELETE FROM event WHERE ${at(5)}`))
  expect(found(cut.output)[0]).toMatch(
    new RegExp(`^TRUNCATED {2}${sample} {2}revision 5 {2}seal \\d+ of .* has revision 5, the stream ends at 4$`),
  )
  const gone = await tampered(db => db.exec(`DELETE FROM event WHERE stream = '${sample}'`))
  expect(gone.output).toMatch(/^TRUNCATED {2}.*the stream is gone$/m)
})

test('a log cut at its end, seals included, is named by the seals kept elsewhere', async () => {
  const cut = (db: DatabaseSync) =>
    db.exec(`DELETE FROM event WHERE position >= (SELECT position FROM event WHERE ${at(4)})`)
  const alone = await tampered(cut)
  expect(alone.code).toBe(0)
  const { code, output } = await tampered(cut, { seal: kept })
  expect(output).toMatch(/^TRUNCATED {2}seal {2}revision \d+ {2}the seal of .*, kept elsewhere, is not in the log$/m)
  expect(output).toMatch(
    new RegExp(`^TRUNCATED {2}${sample} {2}revision 4 {2}.* has revision 5, the stream ends at 3$`, 'm'),
  )
  expect(code).toBe(1)
})

test('a seal that was altered, or signed with another key, is no seal', async () => {
  const altered = await tampered(db =>
    db.exec(`UPDATE event SET data = replace(data, '"total":', '"total":1') WHERE stream = 'seal' AND revision = 1`),
  )
  expect(altered.output).toMatch(/^CHANGED {2}seal {2}revision 1/m)
  expect(altered.output).toMatch(/^SEAL {2}seal {2}revision 1 {2}is not signed by the key it names$/m)
  const other = await verifyHere(whole, { key: 'A'.repeat(43) })
  expect(other.output).toMatch(/^SEAL {2}seal {2}revision 1 {2}is signed with another key$/m)
  const dashed = await parley(['verify', '--key', `-${'A'.repeat(42)}`], { PARLEY_DATA: whole })
  expect(dashed.output).toMatch(/is signed with another key$/m)
  const { output: key } = await parley(['seals', 'key'], { PARLEY_DATA: whole })
  expect((await verifyHere(whole, { key: key.trim() })).code).toBe(0)
})

test('a stream hidden from readers, and a file that is damaged, are named', async () => {
  const hidden = await tampered(db => db.exec(`INSERT INTO stream (name, hidden) VALUES ('${sample}', 5)`))
  expect(found(hidden.output)).toContain(`REMOVED  ${sample}  is marked as removed up to revision 5`)
  const folder = folders.copyOf(whole)
  const file = join(folder, 'events.sqlite')
  const bytes = readFileSync(file)
  bytes.fill(0xff, 4096 * 2, 4096 * 2 + 64)
  writeFileSync(file, bytes)
  const damaged = await parley(['verify'], { PARLEY_DATA: folder })
  expect(damaged.errors).toMatch(/is damaged/)
  expect(damaged.code).toBe(1)
})

test('exits with 2 and help for unknown arguments, with 1 and one line for failures', async () => {
  const missing = await parley(['verify'], { PARLEY_DATA: folders.next() })
  expect(missing).toMatchObject({ code: 1, errors: expect.stringMatching(/^There is no .*events\.sqlite\n$/) })
  const wrong = await parley(['verify', '--sael', kept], { PARLEY_DATA: whole })
  expect(wrong).toMatchObject({ code: 2, errors: expect.stringContaining('Usage: parley verify [options]') })
  expect(await parley(['frobnicate'], {})).toMatchObject({ code: 2 })
  expect(await parley(['backup'], {})).toMatchObject({ code: 2, errors: expect.stringContaining('is missing') })
  const help = await parley(['help'], {})
  expect(help).toMatchObject({ code: 0, errors: '' })
  for (const name of ['start', 'verify', 'seals export', 'backup', 'restore', 'export', 'rebuild', 'key rotate'])
    expect(help.output).toContain(`  ${name}`)
  expect((await parley(['backup', '--help'], {})).output).toContain('Usage: parley backup <file or folder>')
})
