import i18next from 'i18next'
import { useMemo, useSyncExternalStore } from 'react'
import { useTranslation } from 'react-i18next'
import { type EntityDeclaration, isSingle } from '#schemas/entity.ts'
import type { Json } from '#schemas/event.ts'
import type { FieldTexts } from '#web/form/form-value.ts'
import { ENTITY_TEXT } from '#web/i18n/english-fallback.ts'

/** False for `audit` and `flow`: they have no entity texts. */
const hasTexts = (entity: string) => i18next.exists(`${entity}.name`, { ns: 'entity' })

/** Counts the entity texts that have arrived, so that labels are read again when one does. */
let arrived = 0
const subscribe = (onChange: () => void) => {
  const onAdded = (_language: string, namespace: string) => {
    if (!namespace.startsWith(ENTITY_TEXT)) return
    arrived += 1
    onChange()
  }
  i18next.store.on('added', onAdded)
  return () => i18next.store.off('added', onAdded)
}
const version = () => arrived

/** Starts loading the texts of an entity. Without effect when they are there or on their way. */
const loadEntityTexts = (entity: string): void => {
  if (hasTexts(entity)) void i18next.loadNamespaces(ENTITY_TEXT + entity)
}

const namespacesOf = (entities: readonly string[]) =>
  [...new Set(entities)].filter(hasTexts).map(entity => ENTITY_TEXT + entity)

/** Suspends until the texts of these entities are there. */
export const useEntityTexts = (entities: readonly string[]): void => {
  useTranslation(namespacesOf(entities))
}

/** True once these entities' texts are loaded; meanwhile the caller decides what to show. */
export const useEntityTextsReady = (entities: readonly string[]): boolean =>
  useTranslation(namespacesOf(entities), { useSuspense: false }).ready

type Word = (key: string, fallback: string) => string

const titleOf = (entity: EntityDeclaration, row: Readonly<Record<string, Json>>, word: Word) => {
  const { name, title, fields } = entity
  if (isSingle(entity)) return { value: word(`${name}.name`, name), isOption: false }
  const value = String(row[title] ?? '')
  // A title that is not required may be empty.
  if (value === '') return { value: word(`${name}.name`, name), isOption: false }
  return { value, isOption: fields[title]?.kind === 'enumeration' }
}

/**
 * The words of the entities, by their names in the declarations; a word without translation is shown as its name.
 * Texts of an entity that nothing has loaded yet are loaded by the first question and shown when they arrive.
 */
export const useLabel = () => {
  const { t } = useTranslation(['entity', 'shell'])
  const count = useSyncExternalStore(subscribe, version)
  // biome-ignore lint/correctness/useExhaustiveDependencies: `count` says that texts have arrived
  return useMemo(() => {
    const word = (key: string, fallback: string) => String(t(key, { defaultValue: fallback }))
    const of = (entity: string, key: string, fallback: string) => {
      if (!hasTexts(entity)) return fallback
      if (!i18next.hasLoadedNamespace(ENTITY_TEXT + entity)) loadEntityTexts(entity)
      return String(t(key, { ns: ENTITY_TEXT + entity, defaultValue: fallback }))
    }
    const optional = (entity: string, key: string) => of(entity, key, '') || undefined
    /** Text that a field has under one type of its entity. */
    const typed = (entity: string, field: string, type: string, key: 'label' | 'hint') =>
      type === '' ? undefined : optional(entity, `field.${field}.of.${type}.${key}`)
    const plural = (entity: string) => word(`${entity}.plural`, entity)
    const textsAt = (entity: string, key: string, name: string): FieldTexts => ({
      label: of(entity, `${key}.label`, word(`common.field.${name}.label`, name)),
      hint: optional(entity, `${key}.hint`),
      option: value => of(entity, `${key}.option.${value}`, value),
      member: member => textsAt(entity, `${key}.item.${member}`, member),
    })
    return {
      name: (entity: string) => word(`${entity}.name`, entity),
      plural,
      /** Name in menus, hubs and breadcrumb. */
      menu: (entity: string) => word(`${entity}.menu`, plural(entity)),
      purpose: (entity: string) => optional(entity, 'purpose'),
      section: (entity: string, id: string) => of(entity, `section.${id}.title`, id),
      page: (entity: string, key: string) => of(entity, `page.${key}`, key),
      sectionPurpose: (entity: string, id: string) => optional(entity, `section.${id}.purpose`),
      /** `type`: of the row, for the label that a field has under it. */
      field: (entity: string, path: string, type = '') => {
        const field = path.split('.')[0] ?? path
        return typed(entity, field, type, 'label') ?? textsAt(entity, `field.${field}`, field).label
      },
      /** Of a field, of an item of a list (`headers.0`), or of a field of an item (`headers.0.value`). */
      path: (entity: string, path: string, type = '') => {
        const [field = '', position, ...members] = path.split('.')
        const plain = textsAt(entity, `field.${field}`, field)
        const texts = { ...plain, label: typed(entity, field, type, 'label') ?? plain.label }
        if (position === undefined || !/^\d+$/.test(position)) return texts.label
        const item = t('shell:form.item', { place: Number(position) + 1 })
        return [texts.label, item, ...members.slice(0, 1).map(member => texts.member(member).label)].join(' › ')
      },
      /**
       * Of a field and, in a list, of the fields of its items (`field.<list>.item.<name>`); label and hint of one type of
       * the entity where it has its own (`field.<name>.of.<type>`).
       */
      texts: (entity: string, field: string, type = ''): FieldTexts => {
        const texts = textsAt(entity, `field.${field}`, field)
        const own = (key: 'label' | 'hint') => typed(entity, field, type, key)
        return { ...texts, label: own('label') ?? texts.label, hint: own('hint') ?? texts.hint }
      },
      /** Name of a row: its title, translated if an option; the entity name if it is the only one. */
      title: (entity: EntityDeclaration, row: Readonly<Record<string, Json>>) => {
        const { value, isOption } = titleOf(entity, row, word)
        return isOption ? of(entity.name, `field.${entity.title}.option.${value}`, value) : value
      },
      option: (entity: string, field: string, value: string) => of(entity, `field.${field}.option.${value}`, value),
      action: (entity: string, name: string) => of(entity, `action.${name}.do`, word(`common.action.${name}.do`, name)),
      /** Confirmation question of an action. */
      question: (entity: string, action: string) => optional(entity, `action.${action}.question`),
      /** Of a field that an action asks for. */
      input: (entity: string, action: string, field: string): FieldTexts =>
        textsAt(entity, `action.${action}.field.${field}`, field),
      /** The entity's message in place of the usual one. */
      message: (entity: string, key: string) => optional(entity, key),
      verb: (entity: string, verb: string) => of(entity, `verb.${verb}`, word(`common.verb.${verb}`, verb)),
    }
  }, [t, count])
}

export type Label = ReturnType<typeof useLabel>

/** Names of companies in names of entities. */
const COMPANIES: ReadonlySet<string> = new Set(['Meta'])

/** Spelling of a name within a sentence: `code sample`, but `NLU project`, `OAuth` and `Meta app`. */
export const inSentence = (name: string): string =>
  name.replace(/\p{L}+/gu, word =>
    COMPANIES.has(word) || /\p{Lu}\p{L}*\p{Lu}/u.test(word) ? word : word.toLocaleLowerCase(),
  )
