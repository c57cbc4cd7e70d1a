import { receiptcard as declaration } from '#schemas/blocks/receiptcard.ts'
import type { Json, JsonObject } from '#schemas/event.ts'
import { isObject, textAt } from '#schemas/json.ts'
import type { Steps } from '../effect.ts'
import { type BlockText, blockText, evaluateTexts } from '../evaluate.ts'
import { type BlockRuntime, leave, say, type Turn } from '../turn.ts'

const COMMON_FIELDS = ['titleorig', 'enableDelay', 'retention', 'valid', 'data', 'specificToChannel']

/** Every text of a value, and the value with what comes of them. */
const textsIn = (value: Json, at: string, found: BlockText[]): void => {
  if (typeof value === 'string') found.push(blockText(at, value, 'attribute'))
  else if (Array.isArray(value))
    for (const [place, item] of value.entries()) textsIn(item as Json, `${at}.${place}`, found)
  else if (isObject(value)) for (const [name, item] of Object.entries(value)) textsIn(item, `${at}.${name}`, found)
}

const filled = (value: Json, at: string, values: ReadonlyMap<string, Json>): Json => {
  if (typeof value === 'string') return values.get(at) ?? ''
  if (Array.isArray(value)) return value.map((item: Json, place) => filled(item, `${at}.${place}`, values))
  if (!isObject(value)) return value
  return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, filled(item, `${at}.${name}`, values)]))
}

function* fill(turn: Turn, held: JsonObject): Steps<JsonObject> {
  const found: BlockText[] = []
  textsIn(held, '', found)
  const values = yield* evaluateTexts(turn, found)
  const made = filled(held, '', new Map(found.map(({ at }, place) => [at, values[place] ?? ''])))
  return isObject(made) ? made : {}
}

/** A receipt; the widget and other channels draw it as their family does. */
export const receiptcard: BlockRuntime = {
  *run(turn, { properties }) {
    const family = textAt(properties, 'specificToChannel') || 'microsoft_channels'
    const names = Object.keys(declaration.fields).filter(name => !COMMON_FIELDS.includes(name))
    const isShown = (name: string) => {
      const when = declaration.fields[name]?.when?.specificToChannel
      return when === undefined || when.includes(family)
    }
    const held = Object.fromEntries(
      names
        .filter(name => isShown(name) && properties[name] !== undefined)
        .map(name => [name, properties[name] ?? null]),
    )
    say(turn, { type: 'receipt', family, receipt: yield* fill(turn, held) })
    return leave()
  },
}
