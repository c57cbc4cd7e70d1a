import * as Y from 'yjs'

/** Work that Yjs would do is above what was allowed; the document may hold part of the update. */
export class TooCostly extends Error {
  override readonly name = 'TooCostly'
  constructor() {
    super('the content takes too long to integrate')
  }
}

/**
 * Work allowed, in steps. One step is one item that Yjs compares while it looks for the place of another between
 * concurrent ones: some 350 ns, twice where the meter counts them as well. Honest documents take next to none: a run of
 * typing is one comparison however long it is. docs/adr/0018 has the figures.
 */
export const UPDATE_STEPS = 60_000
/** Of the concurrent content of one document together; above it an update gets `STEPS_PER_STRUCT` alone. */
export const DOCUMENT_STEPS = 200_000
export const STEPS_PER_STRUCT = 32
/** Limit for opening a document: more than the sum of any sequence of accepted updates, in any order. */
const LOAD_STEPS = 400_000
const LOAD_STEPS_PER_STRUCT = 2 * STEPS_PER_STRUCT

/** Steps of a list that are counted without looking for the exact number. */
const SHORT_LIST = 32
/** Entries of a map's key that are walked in the time of one step. */
const ENTRIES_PER_STEP = 32
/** Array elements that a split moves in the time of one step. */
export const MOVES_PER_STEP = 4_096

/**
 * Plain values in lists, which flows do not have. Yjs joins neighbours by copying all of them and keeps every copy:
 * some ten thousand end the process for want of memory.
 */
const MAX_PLAIN = 100

interface Meter {
  steps: number
  limit: number
  readonly perStruct: number
  structs: number
  plain: number
  /** Of the transaction under way. */
  splits: number
  transaction: Y.Transaction | undefined
}

let meter: Meter | undefined

/**
 * Runs work on documents within a number of steps and, for each struct, some more. Answers the steps beyond those of the
 * structs; throws `TooCostly`.
 */
export const runWithStepLimit = (limit: number, perStruct: number, run: () => void): number => {
  const outer = meter
  const own: Meter = { steps: 0, limit, perStruct, structs: 0, plain: 0, splits: 0, transaction: undefined }
  meter = own
  try {
    run()
  } finally {
    meter = outer
  }
  return Math.max(0, own.steps - own.structs * perStruct)
}

/** Opens a document from updates within what is left of the steps that a document may cost. */
export const meteredLoad = (run: () => void, taken = 0): number =>
  runWithStepLimit(LOAD_STEPS - taken, LOAD_STEPS_PER_STRUCT, run)

/** Start of Yjs's search for a place: behind `left`, or at the start of its list. */
interface Search {
  readonly left: Y.Item | null
  readonly origin: Y.ID | null
}

const isBetween = ({ left }: Search, { right }: Y.Item): boolean =>
  left === null ? right === null || right.left !== null : left.right !== right

/** The rest of a struct that is there in part follows that part. */
const searchOf = (item: Y.Item, offset: number, store: Y.Doc['store']): Search => {
  const { left, origin, id } = item
  if (offset === 0) return { left, origin }
  const own = Y.createID(id.client, id.clock + offset - 1)
  const before: unknown = Y.getItem(store, own)
  return { left: before instanceof Y.Item ? before : null, origin: own }
}

const spend = (current: Meter, steps: number): void => {
  current.steps += steps
  if (current.steps > current.limit) throw new TooCostly()
}

/** The walk to the first entry of a map's key, which Yjs takes for each entry without a left neighbour. */
const entriesOf = (item: Y.Item, most: number): number => {
  if (item.parentSub === null || item.left !== null || !(item.parent instanceof Y.AbstractType)) return 0
  let entries = 0
  for (let o = item.parent._map.get(item.parentSub) ?? null; o !== null && entries < most; o = o.left) entries += 1
  return entries
}

const firstOf = (item: Y.Item, { left }: Search): Y.Item | null => {
  if (left !== null) return left.right
  if (!(item.parent instanceof Y.AbstractType)) return null
  if (item.parentSub === null) return item.parent._start
  let first = item.parent._map.get(item.parentSub) ?? null
  while (first?.left) first = first.left
  return first
}

/** Items that Yjs compares to find an item's place (`Item.integrate`): the same walk, without moving anything. */
const comparisons = (item: Y.Item, search: Search, store: Y.Doc['store'], most: number): number => {
  const { rightOrigin, right, id } = item
  const first = firstOf(item, search)
  let distance = 0
  for (let o = first; o !== null && o !== right && distance <= SHORT_LIST; o = o.right) distance += 1
  if (distance <= SHORT_LIST) return distance
  const passed = new Set<Y.AbstractStruct>()
  const conflicting = new Set<Y.AbstractStruct>()
  let steps = 0
  for (let o = first; o !== null && o !== right && steps <= most; o = o.right) {
    steps += 1
    passed.add(o)
    conflicting.add(o)
    if (Y.compareIDs(search.origin, o.origin)) {
      if (o.id.client < id.client) conflicting.clear()
      else if (Y.compareIDs(rightOrigin, o.rightOrigin)) break
    } else {
      const before = o.origin === null ? undefined : Y.getItem(store, o.origin)
      if (before === undefined || !passed.has(before)) break
      if (!conflicting.has(before)) conflicting.clear()
    }
  }
  return steps
}

/** Elements that the splits before this item moved. */
const movesOf = (item: Y.Item, transaction: Y.Transaction, current: Meter): number => {
  const splits = transaction._mergeStructs.length
  if (current.transaction !== transaction) current.splits = 0
  current.transaction = transaction
  const added = splits - current.splits
  current.splits = splits
  if (added <= 0) return 0
  const { store } = transaction.doc
  // Yjs forgets the id of a neighbour whose parent was removed: it is undefined, although its type says null.
  const longest = [item.origin, item.rightOrigin].map(id => (id ? movesAt(store, id) : 0))
  return added * Math.max(...longest)
}

/** Elements that a split of a client's structs moves: Yjs keeps them in an array, and the shorter side gives way. */
export const movesAt = ({ clients }: Y.Doc['store'], { client, clock }: Pick<Y.ID, 'client' | 'clock'>): number => {
  const structs = clients.get(client)
  if (structs === undefined) return 0
  const index = Y.findIndexSS(structs, clock)
  return Math.min(index, structs.length - index)
}

const charge = (item: Y.Item, transaction: Y.Transaction, offset: number, current: Meter): void => {
  current.structs += 1
  current.limit += current.perStruct
  const most = current.limit - current.steps
  spend(current, movesOf(item, transaction, current) / MOVES_PER_STEP)
  if (!(item.parent instanceof Y.AbstractType)) return
  const { store } = transaction.doc
  const search = searchOf(item, offset, store)
  spend(current, entriesOf(item, most * ENTRIES_PER_STEP + 1) / ENTRIES_PER_STEP)
  if (isBetween(search, item)) spend(current, comparisons(item, search, store, most))
  const isPlain = item.content instanceof Y.ContentAny || item.content instanceof Y.ContentJSON
  if (isPlain && item.parentSub === null) {
    current.plain += 1
    if (current.plain > MAX_PLAIN) throw new TooCostly()
  }
}

const integrate = Y.Item.prototype.integrate

// Every struct of any source passes here on its way into a document.
Y.Item.prototype.integrate = function (this: Y.Item, transaction, offset) {
  if (meter !== undefined) charge(this, transaction, offset, meter)
  integrate.call(this, transaction, offset)
}

/**
 * Keeps a document as its updates say. Yjs otherwise removes redundant marks of formatted text, with edits that no log
 * has, in time that grows with the square of the deleted content.
 */
export const keepMarks = (doc: Y.Doc): void => {
  doc.on('afterTransaction', (transaction: Y.Transaction) => {
    transaction._needFormattingCleanup = false
  })
}
