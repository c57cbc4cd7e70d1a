import { Slices } from '#commands/slices.ts'
import type { Preview } from '#commands/version/preview.ts'
import { PREVIEWED_FLOWS } from '#schemas/api/version.ts'
import { ENTITIES } from '#schemas/entities/registry.ts'
import type { EntityDeclaration } from '#schemas/entity.ts'
import { isSingle } from '#schemas/single.ts'
import { VERSION_ROOT } from '#schemas/versioned.ts'

type PreviewedThing = Preview['things'][number]

/** Characters that are written at once. */
const PART = 64_000

/** A preview as JSON, part by part: that of a large version has tens of MB. */
export async function* previewText(preview: Preview): AsyncGenerator<string> {
  const slices = new Slices()
  let text = ''
  for (const [index, [member, list]] of Object.entries(previewAnswer(preview)).entries()) {
    text += `${index === 0 ? '{' : ','}${JSON.stringify(member)}:[`
    for (const [at, item] of list.entries()) {
      text += `${at === 0 ? '' : ','}${JSON.stringify(item)}`
      if (text.length < PART) continue
      yield text
      text = ''
      await slices.pause()
    }
    text += ']'
  }
  yield `${text}}`
}

/** A preview as the API answers it: all things, and apart from each other its flows and its settings. */
const previewAnswer = ({ things, stays }: Preview): Readonly<Record<string, readonly unknown[]>> => {
  const flows = PREVIEWED_FLOWS.map(({ member, entity, parent }) => [
    member,
    things
      .filter(thing => thing.entity === entity)
      .map(({ id, name, within, state, summary }) => ({ id, name, [parent]: within.at(-1) ?? '', state, summary })),
  ])
  const isFlow = ({ entity }: PreviewedThing) => PREVIEWED_FLOWS.some(flow => flow.entity === entity)
  const settings = things.filter(thing => !isFlow(thing)).flatMap(settingsOf)
  return { ...Object.fromEntries(flows), settings, things, stays }
}

/** Paths begin with the kind and name of the thing: `dialogtask.Reserva.showinmenu`; those of the bot are its fields. */
const settingsOf = ({ entity, name, state, changes }: PreviewedThing) => {
  if (state === 'added') return [{ path: `${entity}.${name}`, before: null, after: name }]
  if (state === 'removed') return [{ path: `${entity}.${name}`, before: name, after: null }]
  const prefix = entity === VERSION_ROOT ? '' : isOnly(entity) ? `${entity}.` : `${entity}.${name}.`
  return changes.map(({ path, before, after }) => ({ path: prefix + path, before, after }))
}

const DECLARED: Readonly<Record<string, EntityDeclaration>> = ENTITIES

const isOnly = (name: string): boolean => {
  const entity = DECLARED[name]
  return entity !== undefined && isSingle(entity)
}
