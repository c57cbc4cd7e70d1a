import { Button, chakra, Spacer } from '@chakra-ui/react'
import { ChevronLeft, Eye } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { IconButton } from '#web/components/hint.tsx'
import { InstanceBadge } from '#web/components/instance-badge.tsx'
import { Mark } from '#web/components/mark.tsx'
import { visitorCode } from '#web/features/conversation/index.ts'
import { useFlowNames } from '../session/flow-names.ts'

interface WalkBarProps {
  readonly conversation: Parameters<typeof visitorCode>[0]
  readonly dialog: string | undefined
  readonly onLeave: () => void
}

const DialogName = ({ dialog }: { readonly dialog: string }) => {
  const { bot, task, flow } = useFlowNames({ kind: 'dialog', id: dialog })
  const around = [bot?.name, task?.name].filter(name => name !== undefined)
  return (
    <span className="pr-bar-names">
      <chakra.span hideBelow="md">{around.map(name => `${name} / `).join('')}</chakra.span>
      <b>{flow?.name ?? '…'}</b>
    </span>
  )
}

/** Bar over a viewed conversation: its location, and the exit. */
export const ReplayBar = ({ conversation, dialog, onLeave }: WalkBarProps) => {
  const { t } = useTranslation('replay')
  return (
    <chakra.header
      data-region="bar"
      display="flex"
      flex="none"
      alignItems="center"
      gap="2"
      h="52px"
      px="3"
      bg="bg.surface"
      borderBottomWidth="1px"
    >
      <IconButton icon={ChevronLeft} iconSize={18} label={t('leave')} onClick={onLeave} />
      <chakra.span hideBelow="md" display="flex">
        <Mark />
      </chakra.span>
      <chakra.span hideBelow="sm" display="flex">
        <InstanceBadge />
      </chakra.span>
      <chakra.h1 srOnly>{t('title', { name: visitorCode(conversation) })}</chakra.h1>
      {dialog === undefined ? <Spacer /> : <DialogName key={dialog} dialog={dialog} />}
      <span className="pt-readonly">
        <Eye size={16} strokeWidth={1.75} aria-hidden />
        {t('readonly')}
      </span>
      <chakra.span hideBelow="md" display="flex">
        <Button onClick={onLeave}>{t('leave')}</Button>
      </chakra.span>
    </chakra.header>
  )
}
