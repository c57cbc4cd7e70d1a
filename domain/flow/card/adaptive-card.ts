import type { Json, JsonObject } from '#schemas/event.ts'
import { isObject, own, parseJsonField, record } from '#schemas/json.ts'

/** Allowed elements and actions of a card. Others in a file are not shown. */
const ELEMENTS = new Set([
  'TextBlock',
  'RichTextBlock',
  'TextRun',
  'Image',
  'ImageSet',
  'Container',
  'ColumnSet',
  'Column',
  'FactSet',
  'ActionSet',
  'Media',
  'Carousel',
  'CarouselPage',
  'Table',
  'TableRow',
  'TableCell',
  'Input.Text',
  'Input.Number',
  'Input.Date',
  'Input.Time',
  'Input.Toggle',
  'Input.ChoiceSet',
])
const ACTIONS = new Set([
  'Action.Submit',
  'Action.Execute',
  'Action.OpenUrl',
  'Action.ShowCard',
  'Action.ToggleVisibility',
])
/** Members that name an address to load or to open. */
const ADDRESSES = new Set(['url', 'iconUrl', 'backgroundImage', 'poster'])
const ACTION_MEMBERS = new Set(['selectAction', 'inlineAction'])
/** Members that load, call or sign in by themselves; nothing that is drawn needs them. */
const ACTIVE_MEMBERS = new Set(['refresh', 'authentication', 'captionSources'])
/** Lists of elements, by the type that an item without one has. */
const ELEMENT_LISTS: ReadonlyMap<string, string | undefined> = new Map([
  ['body', undefined],
  ['items', undefined],
  ['images', 'Image'],
  ['rows', 'TableRow'],
  ['cells', 'TableCell'],
  ['pages', 'CarouselPage'],
])

/** A column falls back to a column; the fallback may leave its type out as the column itself may. */
const IMPLIED_FALLBACKS: ReadonlyMap<string, string> = new Map([
  ['Column', 'Column'],
  ['TableRow', 'TableRow'],
  ['TableCell', 'TableCell'],
  ['CarouselPage', 'CarouselPage'],
])

const MAX_DEPTH = 30
const MAX_PARTS = 2000

const isHarmless = (address: string): boolean => /^https:\/\/|^data:image\/(?:png|jpeg|gif|webp);/iu.test(address)

/** A card's parts as they may be shown: known elements and actions, https addresses, and no endless nesting. */
class Cleaning {
  #parts = 0
  readonly left = new Set<string>()
  /** Types of which nothing is shown, not even a fallback. */
  readonly missing = new Set<string>()

  list(items: Json | undefined, depth: number, allowed: ReadonlySet<string>, implied?: string): readonly Json[] {
    return (Array.isArray(items) ? items : []).flatMap(item => this.part(item, depth, allowed, implied) ?? [])
  }

  part(item: Json, depth: number, allowed: ReadonlySet<string>, implied?: string): JsonObject | undefined {
    this.#parts += 1
    if (depth > MAX_DEPTH || this.#parts > MAX_PARTS) return this.#leave('…')
    if (!isObject(item)) return undefined
    const type = own(item, 'type') ?? implied
    if (typeof type !== 'string' || !allowed.has(type)) {
      this.#leave(typeof type === 'string' ? type : '?')
      const instead = own(item, 'fallback')
      if (isObject(instead)) return this.part(instead, depth + 1, allowed, implied)
      if (instead !== 'drop') this.missing.add(typeof type === 'string' ? type : '?')
      return undefined
    }
    const members = Object.entries({ ...item, type })
    return record(members.flatMap(([name, value]) => this.#member(type, name, value, depth + 1)))
  }

  #sources(value: Json): readonly Json[] {
    return (Array.isArray(value) ? value : []).filter(isObject).map(source => {
      const members = Object.entries(source).flatMap(([name, member]) => this.#member('', name, member, 0))
      return record(members)
    })
  }

  #inlines(value: Json, depth: number): readonly Json[] {
    const items = Array.isArray(value) ? value : []
    return items.flatMap(item =>
      typeof item === 'string' ? item : (this.part(item, depth, ELEMENTS, 'TextRun') ?? []),
    )
  }

  /** Fallback of an unknown element: an element of any kind, or `drop`. */
  #fallback(type: string, value: Json, depth: number): readonly [string, Json][] {
    if (value === 'drop') return [['fallback', value]]
    if (!isObject(value)) return []
    const part = this.part(value, depth, ACTIONS.has(type) ? ACTIONS : ELEMENTS, IMPLIED_FALLBACKS.get(type))
    return part === undefined ? [] : [['fallback', part]]
  }

  #member(type: string, name: string, value: Json, depth: number): readonly [string, Json][] {
    if (ADDRESSES.has(name)) {
      const address = isObject(value) ? own(value, 'url') : value
      if (typeof address === 'string' && isHarmless(address)) return [[name, address]]
      this.#leave(name)
      return []
    }
    if (name === 'fallback') return this.#fallback(type, value, depth)
    if (ACTION_MEMBERS.has(name)) {
      const action = this.part(value, depth, ACTIONS)
      return action === undefined ? [] : [[name, action]]
    }
    if (ACTIVE_MEMBERS.has(name)) {
      this.#leave(name)
      return []
    }
    if (name === 'card') return isObject(value) ? [[name, this.card(value, depth)]] : []
    if (name === 'sources') return [[name, this.#sources(value)]]
    // The only list whose items may be plain texts.
    if (name === 'inlines') return [[name, this.#inlines(value, depth)]]
    if (name === 'actions') return [[name, this.list(value, depth, ACTIONS)]]
    // A table's columns are widths; a column set's are elements.
    if (name === 'columns' && type === 'ColumnSet') return [[name, this.list(value, depth, ELEMENTS, 'Column')]]
    if (!ELEMENT_LISTS.has(name)) return [[name, value]]
    return [[name, this.list(value, depth, ELEMENTS, ELEMENT_LISTS.get(name))]]
  }

  card(card: JsonObject, depth: number): JsonObject {
    return {
      type: 'AdaptiveCard',
      version: '1.5',
      body: this.list(parseJsonField(own(card, 'body')), depth, ELEMENTS),
      actions: this.list(parseJsonField(own(card, 'actions')), depth, ACTIONS),
    }
  }

  #leave(what: string): undefined {
    this.left.add(what)
    return undefined
  }
}

/** Types in a list of elements or actions that no chat draws. A list that is a text with placeholders has none. */
export const unsupportedTypes = (list: Json | undefined): readonly string[] => {
  const cleaning = new Cleaning()
  const items = parseJsonField(list)
  for (const item of Array.isArray(items) ? items : []) {
    const type = isObject(item) ? own(item, 'type') : undefined
    cleaning.part(item, 0, typeof type === 'string' && type.startsWith('Action.') ? ACTIONS : ELEMENTS)
  }
  return [...cleaning.missing].filter(type => !/[{<]/u.test(type))
}

/** A block's card as it may be drawn, and the types and members that were left out of it. */
export const safeCard = (
  properties: JsonObject,
  submit: string,
): { readonly card: JsonObject; readonly left: readonly string[] } => {
  const cleaning = new Cleaning()
  const card = cleaning.card(properties, 0)
  const actions = own(card, 'actions')
  const button = own(properties, 'putSubmitButton') === true ? [{ type: 'Action.Submit', title: submit }] : []
  return {
    card: { ...card, actions: [...(Array.isArray(actions) ? actions : []), ...button] },
    left: [...cleaning.left],
  }
}

export interface OfferedChoice {
  readonly title: string
  readonly value: string
}

const text = (value: unknown): string => (typeof value === 'string' ? value : (JSON.stringify(value) ?? ''))

/**
 * Options that two rules take from data: the nth title belongs to the nth value, a title without a value is also the
 * value. `select` returns all matches of a rule.
 */
export const offeredChoices = (
  data: Json,
  titleRule: string,
  valueRule: string,
  select: (rule: string, data: Json) => readonly unknown[],
): readonly OfferedChoice[] => {
  const values = valueRule.trim() === '' ? [] : select(valueRule, data)
  return select(titleRule, data).map((title, place) => ({
    title: text(title),
    value: place in values ? text(values[place]) : text(title),
  }))
}
