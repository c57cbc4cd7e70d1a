import { existsSync, mkdirSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { CONVERSATION_FOLDER } from '#commands/backup/archive.ts'
import { CopyRefused, type KeyCopy, type Source, type Target } from '#commands/copy/copy-checkpoints.ts'
import { copyKeysToFolder, readFolderKeys, readSharedKeys, toShared } from '#commands/copy/copy-keys.ts'
import { copyStore, type Step, sourcePart, targetPart } from '#commands/copy/copy-store.ts'
import { CONVERSATION_PREFIXES } from '#commands/integrity/verify-log.ts'
import { KeyRefused } from '#commands/keys/secret.ts'
import { MAX_APPENDED, sizeOf } from '#commands/store/embedded/embedded-store.ts'
import { readMarks } from '#commands/store/embedded/event-file.ts'
import { openEmbeddedStore } from '#commands/store/embedded/open-embedded-store.ts'
import type { EventStore } from '#commands/store/port.ts'
import type { Settings } from '#schemas/settings.ts'
import { type Run, WrongUsage } from './command.ts'
import { openProgress, type Progress } from './progress.ts'
import { tell } from './verify.ts'

/** Source, target and keys of a copy. */
interface Job {
  readonly source: Source
  readonly target: Target
  /** The same of the log of conversations; undefined where there is none. */
  readonly conversations: { readonly source: Source; readonly target: Target } | undefined
  readonly keys: KeyCopy
  /** Start instructions for the copy. */
  readonly next: string
}

const SERVER = /^(esdb|kurrentdb)(\+discover)?:\/\/.+/
/** A server may be restarted meanwhile, ms. */
const RECONNECT_TIMEOUT_MS = 120_000
/** Appends of an embedded store that share its writes to the disk. */
const TOGETHER = 2000

/** `parley copy --to <store>`. */
export const copy: Run = async ({ settings, options }) => {
  const to = options.to
  if (typeof to !== 'string') throw new WrongUsage('--to <store> is missing.')
  const { EVENTSTORE_URL: from, PARLEY_KEY: key } = settings
  if (SERVER.test(to) === (from !== undefined))
    throw new WrongUsage('A log is copied between a folder and a server; --to names the other one.')
  if (key === undefined)
    throw new KeyRefused('PARLEY_KEY must be given: on a server it wraps the keys (parley.key in PARLEY_DATA holds it)')
  await using open = new AsyncDisposableStack()
  const job =
    from === undefined ? await growing(settings, to, key, open) : await goingBack(from, resolve(to), key, open)
  const { source, target, conversations, keys, next } = job
  // Gateways open the copy once it has its keys: they are finished when all of it is there.
  const begun = conversations === undefined ? keys : { begin: () => keys.begin(), finish: () => undefined }
  const { present, marks, found } = await copyWith({ source, target, keys: begun })
  const code = tell(found, [], undefined)
  if (code !== 0) return code
  const finished = { begin: () => undefined, finish: () => keys.finish() }
  const talks = conversations === undefined ? undefined : await copyWith({ ...conversations, keys: finished })
  if (talks !== undefined)
    process.stdout.write(`${talks.found.outside.toLocaleString('en')} events of conversations.\n`)
  const events = (found.events + found.outside).toLocaleString('en')
  process.stdout.write(
    [
      `${target.name} holds the same ${events} events in the same order, ${present.toLocaleString('en')} of them from before.`,
      `${marks.toLocaleString('en')} streams are removed or limited as they were. The keys went along.`,
      `${next}\n`,
    ].join('\n'),
  )
  return 0
}

const copyWith = async (given: Pick<Job, 'source' | 'target' | 'keys'>) => {
  const show = steps()
  const copied = await copyStore({ ...given, patience: RECONNECT_TIMEOUT_MS, progress: show.at })
  show.done()
  return copied
}

/** From the folder of the embedded store, which no gateway uses meanwhile, to a server. */
const growing = async (settings: Settings, url: string, key: string, open: AsyncDisposableStack): Promise<Job> => {
  const folder = resolve(settings.PARLEY_DATA)
  if (!existsSync(join(folder, 'events.sqlite'))) throw new CopyRefused(`There is no events.sqlite in ${folder}`)
  const source = closing(open, await openEmbeddedStore({ folder }))
  const { openEventStoreDb } = await import('#commands/store/eventstoredb/open-event-store-db.ts')
  const { MAX_APPENDED: most, sizeOfEvent } = await import('#commands/store/eventstoredb/append.ts')
  const target = closing(open, await openEventStoreDb({ url }))
  // The server does not promise the order of appends to several streams.
  const server: Target = { store: target, name: 'The event store', sizeOf: sizeOfEvent, most, atOnce: 1 }
  const place = join(folder, CONVERSATION_FOLDER)
  const talks = existsSync(place) ? closing(open, await openEmbeddedStore({ folder: place })) : undefined
  return {
    source: { store: source, marks: () => readMarks(folder) },
    target: targetPart(server, 'console'),
    conversations: talks && {
      source: { store: talks, marks: () => readMarks(place) },
      target: targetPart(server, 'conversations'),
    },
    keys: toShared({ store: target, key }, source.id, readFolderKeys({ folder, key }), RECONNECT_TIMEOUT_MS),
    next: 'Start gateways with EVENTSTORE_URL set to it and this PARLEY_KEY.',
  }
}

/** From a server, whose gateways are stopped, to a folder. */
const goingBack = async (url: string, folder: string, key: string, open: AsyncDisposableStack): Promise<Job> => {
  const { openEventStoreDb } = await import('#commands/store/eventstoredb/open-event-store-db.ts')
  const { readMarks: readServersMarks } = await import('#commands/store/eventstoredb/read-marks.ts')
  const source = closing(open, await openEventStoreDb({ url }))
  const given = await readSharedKeys({ store: source, key })
  const target = closing(open, await openEmbeddedStore({ folder }))
  const server: Source = { store: source, marks: () => readServersMarks(url) }
  const embedded = { sizeOf, most: MAX_APPENDED, atOnce: TOGETHER }
  const place = join(folder, CONVERSATION_FOLDER)
  const talks = (await hasConversations(source)) ? closing(open, await openConversations(place)) : undefined
  return {
    source: sourcePart(server, 'console'),
    target: { ...embedded, store: target, name: folder },
    conversations: talks && {
      source: sourcePart(server, 'conversations'),
      target: { ...embedded, store: talks, name: place },
    },
    keys: copyKeysToFolder({ folder, key }, given),
    next: `Start a gateway with PARLEY_DATA=${folder} and this PARLEY_KEY, without EVENTSTORE_URL.`,
  }
}

const hasConversations = async (store: EventStore): Promise<boolean> => {
  for await (const _ of store.readAll({ limit: 1, filter: { streamPrefixes: CONVERSATION_PREFIXES } })) return true
  return false
}

const openConversations = (folder: string): Promise<EventStore> => {
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  return openEmbeddedStore({ folder })
}

const closing = (open: AsyncDisposableStack, store: EventStore): EventStore => {
  open.defer(() => store.close())
  return store
}

const LABELS: Readonly<Record<Step, string>> = {
  reading: 'Reading and verifying the log',
  copying: 'Copying',
  removing: 'Removing what was removed',
  verifying: 'Verifying the copy',
}

/** Separate progress for each step. */
const steps = () => {
  let present: { readonly step: Step; readonly progress: Progress; last: number } | undefined
  const done = () => present?.progress.done(present.last.toLocaleString('en'))
  return {
    done,
    at(step: Step, count: number, total?: number) {
      if (present?.step !== step) {
        done()
        present = { step, progress: openProgress(LABELS[step]), last: 0 }
      }
      present.last = count
      present.progress.at(count, total)
    },
  }
}
