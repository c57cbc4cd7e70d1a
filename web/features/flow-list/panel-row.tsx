import { Button } from '@chakra-ui/react'
import { Ellipsis, SquareFunction, Workflow } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { useNavigate } from 'react-router'
import { ActionMenu } from '#web/components/action-menu.tsx'
import type { FlowRowProps } from './flow-row.tsx'

const ICON = { dialog: Workflow, handler: SquareFunction } as const

/** A flow in the designer's panel, where the open one is marked. */
export const PanelRow = ({ kind, task, row, actions, current }: FlowRowProps & { readonly current: boolean }) => {
  const { t } = useTranslation('designer')
  const navigate = useNavigate()
  const Icon = ICON[kind]
  const name = String(row.name)
  const more = t('panel.actions', { name })
  return (
    <li className="pl-row" data-current={current || undefined}>
      <button
        type="button"
        aria-current={current ? 'page' : undefined}
        onClick={() => void navigate(`/designer/${kind}/${row.id}`)}
      >
        <Icon size={16} strokeWidth={1.75} aria-hidden />
        <span title={name}>{name}</span>
        {row.id === task.principaldialog ? <small>{t('panel.principal')}</small> : null}
      </button>
      <ActionMenu label={more} actions={actions}>
        <Button variant="ghost" size="xs" px="0" aria-label={more}>
          <Ellipsis size={15} aria-hidden />
        </Button>
      </ActionMenu>
    </li>
  )
}
