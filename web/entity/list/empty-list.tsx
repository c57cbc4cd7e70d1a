import { ICONS } from 'virtual:icon/../schemas/entities/*.ts'
import { Button } from '@chakra-ui/react'
import { useTranslation } from 'react-i18next'
import type { EntityDeclaration } from '#schemas/entity.ts'
import { EmptyState } from '#web/components/empty-state.tsx'
import { inSentence } from '#web/entity/in-sentence.ts'
import { useLabel } from '#web/entity/label.ts'
import { NewButton } from './list-actions.tsx'
import type { ListControl } from './use-list-state.ts'

interface Props {
  readonly entity: EntityDeclaration
  readonly control: ListControl
  /** Undefined where nothing may be made. */
  readonly create: (() => void) | undefined
}

/** Why a list is empty, and the one thing to do about it. */
export const EmptyList = ({ entity, control: { state, set }, create }: Props) => {
  const { t } = useTranslation('shell')
  const label = useLabel()
  const icon = ICONS[entity.icon]
  const purpose = label.message(entity.name, 'empty') ?? label.purpose(entity.name)
  if (state.search !== '' || Object.keys(state.filter).length > 0) {
    return (
      <EmptyState title={t('list.nothing')} text={t('list.nothingtext')}>
        <Button onClick={() => set({ search: '', filter: {} })}>{t('list.clear')}</Button>
      </EmptyState>
    )
  }
  if (state.removed) return <EmptyState title={t('list.noremoved')} text={t('list.noremovedtext')} />
  return (
    <EmptyState
      {...(icon ? { icon } : {})}
      title={t('list.empty', { name: inSentence(label.plural(entity.name)) })}
      {...(purpose ? { text: purpose } : {})}
    >
      {create === undefined ? null : <NewButton entity={entity} create={create} />}
    </EmptyState>
  )
}
