import { Button, chakra, HStack } from '@chakra-ui/react'
import { ChevronDown, SquareFunction, Workflow } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { Link, useNavigate } from 'react-router'
import { ActionMenu, type MenuAction } from '#web/components/action-menu.tsx'
import type { FlowNames } from '../session/flow-names.ts'
import type { FlowAddress } from '../session/room/flow-address.ts'

const Crumb = ({ to, name }: { readonly to: string; readonly name: string }) => (
  <HStack gap="1.5" flex="0 1 auto" minW="0">
    <chakra.span color="fg.muted" truncate minW="3ch" maxW="200px" asChild>
      <Link to={to} title={name}>
        {name}
      </Link>
    </chakra.span>
    <chakra.span aria-hidden hideBelow="2xl">
      /
    </chakra.span>
  </HStack>
)

/** Bot, task and flow; the flow's name opens the list of its siblings. */
export const Switcher = ({ address, names }: { readonly address: FlowAddress; readonly names: FlowNames }) => {
  const { t } = useTranslation('designer')
  const navigate = useNavigate()
  const entry =
    (kind: FlowAddress['kind'], icon: typeof Workflow) =>
    (flow: { id: string; name: string }): MenuAction => ({
      id: flow.id,
      label: flow.name,
      icon,
      checked: flow.id === address.id,
      run: () => void navigate(`/designer/${kind}/${flow.id}`),
    })
  const actions = [
    ...(names.dialogs ?? []).map(entry('dialog', Workflow)),
    ...(names.handlers ?? []).map(entry('handler', SquareFunction)),
  ]
  return (
    <HStack
      as="nav"
      aria-label={t('bar.place')}
      flexDirection={{ base: 'column-reverse', '2xl': 'row' }}
      alignItems={{ base: 'flex-start', '2xl': 'center' }}
      gap={{ base: '0', '2xl': '1.5' }}
      fontSize="sm"
      minW="0"
      ml="1"
    >
      <HStack gap="1.5" minW="0" maxW="100%" fontSize={{ base: '2xs', '2xl': 'sm' }} px={{ base: '1.5', '2xl': '0' }}>
        {names.bot === undefined ? null : <Crumb to={`/bot/${names.bot.id}`} name={names.bot.name} />}
        {names.bot === undefined || names.task === undefined ? null : (
          <chakra.span aria-hidden hideFrom="2xl">
            /
          </chakra.span>
        )}
        {names.task === undefined ? null : <Crumb to={`/dialogtask/${names.task.id}`} name={names.task.name} />}
      </HStack>
      <ActionMenu label={t('bar.switch')} actions={actions} align="start">
        <Button variant="ghost" color="fg" fontSize="md" px="1.5" h={{ base: '6', '2xl': '8' }} minW="0" maxW="100%">
          <chakra.h1 fontSize="md" truncate maxW={{ base: '48vw', sm: '180px', md: '300px' }}>
            {names.flow?.name ?? '…'}
          </chakra.h1>
          <ChevronDown size={14} aria-hidden />
        </Button>
      </ActionMenu>
    </HStack>
  )
}
