import { chakra } from '@chakra-ui/react'
import { useTranslation } from 'react-i18next'
import { type FieldPath, fieldAt } from '#domain/flow/document/location.ts'
import { useWords } from '../../canvas/canvas-context.ts'
import { Field } from '../../inspector/field.tsx'
import { itemsAt, under, useFieldValue, useForm, useLabel } from '../../inspector/form-context.ts'
import { ListField } from '../../inspector/list-field.tsx'
import { Rule } from './rule.tsx'

const BRANCHES: FieldPath = ['conditions']

/** Whether all or any of what stands below must hold; of no use where there is one thing alone. */
const Match = ({ path }: { readonly path: FieldPath }) => {
  const words = useWords()
  const { node } = useForm()
  const label = useLabel(under(path, 'match'))
  const { value, set, mayEdit, doc, block } = useFieldValue(
    under(path, 'match'),
    fieldAt(node.type, under(path, 'match')),
  )
  const count = (name: string) => itemsAt(doc, block, node.type, under(path, name))?.length ?? 0
  if (count('rules') + count('groups') < 2) return null
  return (
    <fieldset className="pl-seg" data-small aria-label={label} disabled={!mayEdit}>
      {['and', 'or'].map(each => (
        <button key={each} type="button" aria-pressed={value === each} onClick={() => set(each)}>
          {words(`block:option.match.${each}`)}
        </button>
      ))}
    </fieldset>
  )
}

const Rules = ({ path }: { readonly path: FieldPath }) => {
  const { t } = useTranslation('designer')
  const { node } = useForm()
  const at = under(path, 'rules')
  const label = useLabel(at)
  const field = fieldAt(node.type, at)
  if (field?.kind !== 'list') return null
  return (
    <ListField
      path={at}
      field={field}
      label={label}
      aside={<Match path={path} />}
      addLabel={t('inspector.addRule')}
      renderItem={rule => <Rule path={rule} />}
    />
  )
}

const Branch = ({ path, place }: { readonly path: FieldPath; readonly place: number }) => {
  const { t } = useTranslation('designer')
  const { node } = useForm()
  const at = under(path, 'groups')
  const label = useLabel(at)
  const groups = fieldAt(node.type, at)
  return (
    <chakra.div display="flex" flexDirection="column" gap="2">
      <chakra.div display="flex" alignItems="center" gap="2">
        <b className="pl-number">{place + 1}</b>
        <chakra.div flex="1">
          <Field path={under(path, 'label')} bare label={t('inspector.branch', { place: place + 1 })} />
        </chakra.div>
      </chakra.div>
      <Rules path={path} />
      {groups?.kind === 'list' ? (
        <ListField
          path={at}
          field={groups}
          label={label}
          quiet
          addLabel={t('condition.addGroup')}
          renderItem={group => <Rules path={group} />}
        />
      ) : null}
    </chakra.div>
  )
}

/** Branches in the order in which they are tried, each an output; otherwise is always last. */
export const ConditionForm = () => {
  const { t } = useTranslation('designer')
  const label = useLabel(BRANCHES)
  const branches = fieldAt('condition', BRANCHES)
  if (branches?.kind !== 'list') return null
  return (
    <div className="pl-section">
      <ListField
        path={BRANCHES}
        field={branches}
        label={label}
        addLabel={t('inspector.addBranch')}
        renderItem={(path, place) => <Branch path={path} place={place} />}
      />
      <chakra.p display="flex" alignItems="center" gap="2" mt="3" fontSize="sm" color="fg.muted">
        <b className="pl-number" data-otherwise>
          ↳
        </b>
        {t('inspector.otherwise')}: {t('inspector.otherwiseHint')}
      </chakra.p>
    </div>
  )
}
