import { NAME, type Translate } from '../model/label.ts'
import type { References } from './use-references.ts'

const isPlain = (values: Readonly<Record<string, unknown>> | undefined): boolean =>
  values === undefined || Object.keys(values).every(name => name === 'defaultValue')

/** Caches texts without parameters: i18next resolves each on every call, too slow for a thousand blocks and links. */
export const translatorOf = (t: Translate, nameOf: References['nameOf']): Translate => {
  const known = new Map<string, string>()
  return (key, values) => {
    if (key.startsWith(NAME)) return nameOf(key.slice(NAME.length), String(values?.id))
    if (!isPlain(values)) return t(key, values)
    const place = `${key}\n${values?.defaultValue}`
    const held = known.get(place) ?? t(key, values ?? {})
    known.set(place, held)
    return held
  }
}
