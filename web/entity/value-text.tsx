import { chakra, Text } from '@chakra-ui/react'
import { LockKeyhole } from 'lucide-react'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { entityOf, isEntityName } from '#schemas/entities/registry.ts'
import type { EntityDeclaration } from '#schemas/entity.ts'
import type { Field } from '#schemas/field/kind.ts'
import { momentOf } from '#web/format/time.ts'
import { type Change, useName, type Value } from './entity-query.ts'
import { useLabel } from './label.ts'

/** Title of a referenced thing. Every reference in lists, forms and histories is drawn by it. */
export const ReferenceName = ({ to, id }: { to: string; id: string }) => {
  const { t } = useTranslation('shell')
  const name = useName(to, id)
  if (name === null) {
    return (
      <Text as="span" color="fg.muted">
        {t('form.elsewhere')}
      </Text>
    )
  }
  return <Text as="span">{name ?? '…'}</Text>
}

interface Props {
  readonly entity: string
  readonly path: string
  readonly value: Value
}

/** The field at a dotted path: `headers.0.value` is the field `value` of an item. */
const fieldAt = (fields: EntityDeclaration['fields'], path: string): Field | undefined => {
  const [name = '', _position, member] = path.split('.')
  const field = fields[name]
  return field?.kind === 'list' && member !== undefined ? field.item[member] : field
}

/** A stored value in words: names for references, options in the reader's language, `empty` for nothing. */
export const ValueText = ({ entity, path, value }: Props) => {
  const { t } = useTranslation(['history', 'shell'])
  const label = useLabel()
  const field = isEntityName(entity) ? fieldAt(entityOf(entity).fields, path) : undefined
  if (value === null || value === '' || (Array.isArray(value) && value.length === 0)) {
    return <chakra.em color="fg.subtle">{t('history:empty')}</chakra.em>
  }
  if (typeof value === 'boolean') return <>{t(value ? 'shell:yes' : 'shell:no')}</>
  if (field?.kind === 'enumeration') return <>{label.option(entity, path, String(value))}</>
  if (field?.kind === 'string' && field.isUtc === true) return <>{momentOf(`${String(value)}Z`)}</>
  if (field?.kind === 'time') return <>{momentOf(String(value))}</>
  if (field?.to !== undefined) {
    const ids = Array.isArray(value) ? value.map(String) : [String(value)]
    return (
      <>
        {ids.map((id, at) => (
          <span key={id}>
            {at > 0 ? ', ' : ''}
            <ReferenceName to={field.to ?? ''} id={id} />
          </span>
        ))}
      </>
    )
  }
  if (Array.isArray(value) && value.every(each => typeof each !== 'object')) return <>{value.map(String).join(', ')}</>
  if (typeof value === 'object' && 'name' in value && 'size' in value) return <>{String(value.name)}</>
  if (typeof value === 'object') return <chakra.code textStyle="code">{JSON.stringify(value)}</chakra.code>
  return <>{String(value)}</>
}

const BOX = {
  px: '2.5',
  py: '1',
  fontSize: 'sm',
  minW: '0',
  borderLeftWidth: '3px',
  borderRightRadius: 'sm',
  overflowWrap: 'anywhere',
  whiteSpace: 'pre-wrap',
  maxH: '160px',
  overflow: 'auto',
} as const

/** Two values beside each other, read out as deletion and insertion. */
export const BeforeAfterBoxes = ({ before, after }: { readonly before: ReactNode; readonly after: ReactNode }) => (
  <chakra.div display="grid" gridTemplateColumns="1fr 16px 1fr" alignItems="center" gap="1.5">
    <chakra.del textDecoration="none" bg="diff.removed.subtle" borderColor="diff.removed.solid" {...BOX}>
      {before}
    </chakra.del>
    <chakra.span aria-hidden="true" color="fg.subtle" textAlign="center">
      ›
    </chakra.span>
    <chakra.ins textDecoration="none" bg="diff.added.subtle" borderColor="diff.added.solid" {...BOX}>
      {after}
    </chakra.ins>
  </chakra.div>
)

/** Before → after of one field; secrets and words of people say only that they changed. */
export const BeforeAfter = ({ entity, change }: { readonly entity: string; readonly change: Change }) => {
  const { t } = useTranslation('history')
  if (change.words) {
    return (
      <chakra.span color="fg.muted" fontSize="sm">
        {t('words')}
      </chakra.span>
    )
  }
  if (change.secret) {
    return (
      <chakra.span display="inline-flex" alignItems="center" gap="1.5" color="fg.muted" fontSize="sm">
        <LockKeyhole size={13} aria-hidden="true" />
        {t('secret')}
      </chakra.span>
    )
  }
  return (
    <BeforeAfterBoxes
      before={<ValueText entity={entity} path={change.path} value={change.before} />}
      after={<ValueText entity={entity} path={change.path} value={change.after} />}
    />
  )
}
