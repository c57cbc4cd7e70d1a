import { type ReactNode, useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useLocation, useNavigate } from 'react-router'
import type { AnswerOf } from '#schemas/api/routes.ts'
import { type EntityDeclaration, parentField } from '#schemas/entity.ts'
import { useSession } from '#web/api/session.ts'
import { addressOf } from '#web/entity/address.ts'
import { inSentence, useEntityTexts, useLabel } from '#web/entity/label.ts'
import { useListPlace } from '#web/entity/list/use-list-state.ts'
import { UnsavedPrompt } from '#web/form/unsaved-prompt.tsx'
import { ErrorMessage } from '#web/page/error-page.tsx'
import { Page } from '#web/page/page.tsx'
import { useGuardedNavigate } from '#web/page/use-address.ts'
import { EntityDetail } from './entity-detail.tsx'
import { EntityForm } from './entity-form.tsx'
import { SaveBar } from './save-bar.tsx'
import { useEntityForm } from './use-entity-form.ts'

type Created = AnswerOf<'POST /{entity}'>

interface CreateOptions {
  readonly above?: ReactNode
  /** Values of the new thing that the form begins with, over those of the declaration. */
  readonly begins?: Readonly<Record<string, string>>
  /** Shown over the form once the new thing exists; `goOn` opens its page. Undefined: its page opens at once. */
  readonly afterCreate?: (made: Created, goOn: () => void) => ReactNode
}

interface Props extends CreateOptions {
  readonly entity: EntityDeclaration
  readonly fixed: Readonly<Record<string, string>>
  readonly listAt: string
  formAt(id: string): string
}

/** The parent is chosen in the form when neither the address nor a section of the form holds it. */
const withParent = (entity: EntityDeclaration, fixed: Readonly<Record<string, string>>): EntityDeclaration => {
  const parent = parentField(entity)
  const shown = entity.form.some(section => parent !== undefined && section.fields.includes(parent))
  if (parent === undefined || parent in fixed || shown) return entity
  const [first, ...rest] = entity.form
  return first === undefined ? entity : { ...entity, form: [{ ...first, fields: [parent, ...first.fields] }, ...rest] }
}

/** The form of something new. */
const EntityCreate = ({ entity: declared, fixed, listAt, formAt, above, begins, afterCreate }: Props) => {
  const { t } = useTranslation('shell')
  useEntityTexts([declared.name])
  const label = useLabel()
  const { can } = useSession()
  const navigate = useNavigate()
  const entity = withParent(declared, fixed)
  const [made, setMade] = useState<Created>()
  const lead = useGuardedNavigate()
  const goOn = (id: string) => void lead(formAt(id), { replace: true })
  const state = useEntityForm({
    entity,
    row: undefined,
    begins,
    fixed,
    onCreated: answer => (afterCreate === undefined ? goOn(answer.id) : setMade(answer)),
  })
  const forbidden = !can(`create${entity.name}`)
  if (forbidden && state.dirty.length === 0) return <ErrorMessage code="403" />
  const title = t('new', { name: inSentence(label.name(entity.name)) })
  return (
    <Page
      title={title}
      name={title}
      {...(label.purpose(entity.name) ? { purpose: label.purpose(entity.name) ?? '' } : {})}
      bar={
        <SaveBar
          fields={[]}
          creating
          busy={state.busy}
          forbidden={forbidden}
          onSave={() => void state.save()}
          onDiscard={() => void navigate(listAt)}
        />
      }
    >
      {above}
      <EntityForm
        entity={entity}
        form={state.form}
        creating
        readOnly={forbidden}
        dirty={state.dirty}
        errors={state.errors}
        failure={state.failure}
        refusals={state.refusals}
        conflicts={state.conflicts}
        onLeave={state.check}
        meanwhile={{}}
        chosen={undefined}
        hidden={new Set(Object.keys(fixed))}
        onHistory={undefined}
      />
      <UnsavedPrompt />
      {made === undefined ? null : afterCreate?.(made, () => goOn(made.id))}
    </Page>
  )
}

/** With that section of its form alone whose address the path is. */
const useSectionOf = (entity: EntityDeclaration | undefined, path: string): EntityDeclaration | undefined =>
  useMemo(() => {
    const section = entity?.form.find(
      ({ address }) => address !== undefined && path.startsWith(`/${entity.name}/${address}/`),
    )
    return entity === undefined || section === undefined ? entity : { ...entity, form: [section] }
  }, [entity, path])

/** /{entity}/{id}, /{entity}/new, /{entity}/{section of its form}/{id}, and forms inside a bot's settings. */
export const EntityFormPage = (options: CreateOptions) => {
  const { pathname } = useLocation()
  const place = useListPlace()
  const entity = useSectionOf(place?.entity, pathname)
  if (place === undefined || entity === undefined) return <ErrorMessage code="404" />
  const { fixed, id, listAt } = place
  if (id === undefined) {
    const inSettings = pathname.startsWith('/bot/settings/')
    const formAt = (made: string) =>
      (inSettings ? undefined : addressOf(entity.name, made, { bot: fixed.bot })) ?? place.formAt(made)
    return <EntityCreate key={pathname} {...{ entity, fixed, listAt, formAt }} {...options} />
  }
  return <EntityDetail key={id} entity={entity} id={id} listAt={listAt} hidden={new Set(Object.keys(fixed))} />
}
