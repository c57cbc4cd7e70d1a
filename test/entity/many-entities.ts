import { defineEntity, type EntityDeclaration } from '#schemas/entity.ts'
import { string } from '#schemas/field/field.ts'

const WANTED = 70
const PLACES = [
  { menu: { group: 'build', order: 90 } },
  { menu: { group: 'reach', order: 90 } },
  { hub: { page: 'appsettings', order: 90 } },
  { hub: { page: 'reports', order: 90 } },
] as const

/** As `extra07`; every fourth has a custom action. */
const extra = (at: number) => {
  const name = `extra${String(at).padStart(2, '0')}`
  return defineEntity({
    name,
    type: `Extra${at}`,
    parent: 'level',
    icon: 'Box',
    fields: { name: string({ required: true }), closed: string() },
    unique: [],
    title: 'name',
    list: { columns: [{ field: 'name', as: 'name' }], search: ['name'] },
    form: [{ id: 'general', fields: ['name', 'closed'] }],
    actions: at % 4 === 0 ? { close: { icon: 'Lock', on: ['page'], sets: { closed: 'yes' } } } : {},
    confirm: false,
    place: PLACES[at % PLACES.length] ?? PLACES[0],
  })
}

/** As many more that the registry holds seventy with permissions of their own. */
export const manyEntities = (declared: Readonly<Record<string, EntityDeclaration>>) => {
  const own = Object.values(declared).filter(({ rights }) => rights === undefined).length
  const more = Array.from({ length: Math.max(0, WANTED - own) }, (_, at) => extra(at))
  return Object.fromEntries(more.map(entity => [entity.name, entity]))
}
