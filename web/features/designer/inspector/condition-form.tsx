import { chakra } from '@chakra-ui/react'
import { useTranslation } from 'react-i18next'
import { type FieldPath, fieldAt } from '#domain/flow/location.ts'
import { Field } from './field.tsx'
import { under, useForm, useLabel, usePlace } from './form-context.ts'
import { ListField } from './list-field.tsx'

const BRANCHES: FieldPath = ['conditions']
/** Comparisons that look at nothing but the thing itself. */
const ALONE = /^(?:exists|notExists|is[A-Z]\w*)$/u
const DATED = /^is(?:This|Last|Next)/u

const Rule = ({ path }: { readonly path: FieldPath }) => {
  const source = usePlace(under(path, 'source'), undefined).value
  const comparison = usePlace(under(path, 'comparison'), undefined).value
  const alone = typeof comparison === 'string' && ALONE.test(comparison)
  return (
    <chakra.div display="flex" flexDirection="column" gap="1.5">
      <chakra.div display="grid" gridTemplateColumns="1fr 1fr" gap="1.5">
        <Field path={under(path, 'source')} bare />
        <Field path={under(path, 'comparison')} bare />
      </chakra.div>
      {source === 'variable' || source === 'context' ? <Field path={under(path, 'variable')} bare /> : null}
      {alone ? null : <Field path={under(path, 'values')} bare />}
      {typeof comparison === 'string' && DATED.test(comparison) ? <Field path={under(path, 'dateUnit')} bare /> : null}
    </chakra.div>
  )
}

const Branch = ({ path, place }: { readonly path: FieldPath; readonly place: number }) => {
  const { t } = useTranslation('designer')
  const { node } = useForm()
  const label = useLabel(under(path, 'rules'))
  const rules = fieldAt(node.type, under(path, 'rules'))
  return (
    <chakra.div display="flex" flexDirection="column" gap="2">
      <chakra.div display="flex" alignItems="center" gap="2">
        <b className="pl-number">{place + 1}</b>
        <chakra.div flex="1">
          <Field path={under(path, 'label')} bare label={t('inspector.branch', { place: place + 1 })} />
        </chakra.div>
      </chakra.div>
      {rules?.kind === 'list' ? (
        <ListField
          path={under(path, 'rules')}
          field={rules}
          label={label}
          addLabel={t('inspector.addRule')}
          renderItem={rule => <Rule path={rule} />}
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
