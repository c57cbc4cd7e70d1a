import { isWhen } from '#domain/field/stored-items.ts'
import type { Block } from '#schemas/block.ts'
import type { Json, JsonObject } from '#schemas/event.ts'
import { isObject, own, parseJsonField, textAt } from '#schemas/json.ts'
import { assignItemIds } from './item-id.ts'
import { type Choice, valueNamed } from './model.ts'

interface FoundItem {
  readonly item: Json
  /** The item that its list is in. */
  readonly around: Json
  readonly ids: readonly string[]
  readonly places: readonly number[]
  readonly path: readonly string[]
}

const itemsNamed = (value: Json | undefined, names: readonly string[], at: FoundItem): readonly FoundItem[] => {
  const held = names.length === 0 ? parseJsonField(value) : value
  const [name, ...rest] = names
  if (Array.isArray(held)) {
    const ids = assignItemIds(held, [])
    return held.flatMap((item: Json, index) => {
      const id = ids[index] ?? ''
      const here = {
        item,
        around: at.item,
        ids: [...at.ids, id],
        places: [...at.places, index + 1],
        path: [...at.path, id],
      }
      return name === undefined ? [here] : membersNamed(item, name, rest, here)
    })
  }
  return name === undefined || held === undefined ? [] : membersNamed(held, name, rest, at)
}

const membersNamed = (value: Json, name: string, rest: readonly string[], at: FoundItem): readonly FoundItem[] =>
  isObject(value) ? itemsNamed(own(value, name), rest, { ...at, path: [...at.path, name] }) : []

/** A button that opens an address or another part of its card answers nothing. */
const isAnswer = (item: Json): boolean => {
  const type = isObject(item) ? textAt(item, 'type') : ''
  return type !== 'openUrl' && (!type.startsWith('Action.') || type === 'Action.Submit' || type === 'Action.Execute')
}

const titleOf = (item: Json): string => {
  if (!isObject(item)) return typeof item === 'string' ? item : ''
  return textAt(item, 'label') || textAt(item, 'title')
}

const cardOf = (around: Json): string => {
  const title = isObject(around) ? valueNamed(around, 'header.value.title') : undefined
  return typeof title === 'string' ? title : ''
}

const choiceOf = ({ item, around, ids, places, path }: FoundItem): Choice => ({
  output: ids.join('.'),
  title: titleOf(item),
  card: cardOf(around),
  value: isObject(item) ? textAt(item, 'value') : '',
  place: places.join('.'),
  path,
})

const START: FoundItem = { item: null, around: null, ids: [], places: [], path: [] }

const fixedChoice = (output: string): Choice => ({ output, title: '', card: '', value: '', place: '' })

const choicesIn = (block: Block, properties: JsonObject, isCounted: (item: Json) => boolean, all: boolean) =>
  (block.choiceOutputs ?? [])
    .flatMap((declared): readonly Choice[] => {
      if (!all && !isWhen(declared.when, name => valueNamed(properties, name))) return []
      if ('fixed' in declared) return declared.fixed.map(fixedChoice)
      const found = itemsNamed(properties, declared.list.split('.'), START)
      return found.filter(({ item }) => isCounted(item)).map(choiceOf)
    })
    // A file may give an item the id of one of the block's own outputs.
    .filter(({ output }) => !block.outputs.some(({ id }) => id === output))

/** Choices of a block in their order; `properties` in their flow-file form, with defaults. */
export const choicesOf = (block: Block, properties: JsonObject): readonly Choice[] =>
  choicesIn(block, properties, isAnswer, false)

/** Also those that the block does not offer at present: of another kind of question, or a button that opens an address. */
export const possibleChoices = (block: Block, properties: JsonObject): readonly Choice[] =>
  choicesIn(block, properties, () => true, true)
