import { Button, chakra, HStack, Spacer } from '@chakra-ui/react'
import {
  ChevronDown,
  CircleAlert,
  CircleQuestionMark,
  CloudCheck,
  CloudOff,
  Download,
  EllipsisVertical,
  Eye,
  FileText,
  Funnel,
  History,
  Keyboard,
  Link2,
  ListTree,
  LoaderCircle,
  MessageSquare,
  MessageSquareText,
  Pencil,
  SquareFunction,
  TriangleAlert,
  Upload,
  Workflow,
} from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { Link, useNavigate } from 'react-router'
import { useSession } from '#web/api/session.ts'
import { ActionMenu, type MenuAction } from '#web/components/action-menu.tsx'
import { IconButton } from '#web/components/hint.tsx'
import { HelpButton } from '#web/help/help-button.tsx'
import { help } from '#web/help/help-state.ts'
import { Bell } from '#web/shell/bell.tsx'
import { NARROW, useMedia } from '#web/shell/use-media.ts'
import { useCommands } from '../commands/commands.ts'
import { CommentsButton } from '../comment/thread-link.tsx'
import { BarFrame, BarStart } from '../mode/designer-bar.tsx'
import { useMode } from '../mode/mode-context.ts'
import { useStoreValue } from '../model/store.ts'
import { useUnpublished } from '../publish/use-unpublished.ts'
import { BAR_SLOT } from '../session/bar-slot.ts'
import { useDesigner } from '../session/designer.ts'
import type { FlowNames } from '../session/flow-names.ts'
import { Avatars } from '../session/presence/avatars.tsx'
import type { FlowAddress } from '../session/room/flow-address.ts'
import { usePhone } from '../session/use-phone.ts'
import { TestStatusBadge } from './test-status-badge.tsx'

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
const Switcher = ({ address, names }: { readonly address: FlowAddress; readonly names: FlowNames }) => {
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

const Word = chakra('span', {
  base: { display: 'inline-flex', alignItems: 'center', gap: '1.5', fontSize: 'xs', whiteSpace: 'nowrap' },
})

/** Whether this person's work is in the event store, on its way, or kept in this browser. */
const SaveState = () => {
  const { t } = useTranslation('designer')
  const { room, mayEdit } = useDesigner()
  const status = useStoreValue(room.saving, ({ status: now }) => now)
  const kept = useStoreValue(room.saving, saving => (saving.status === 'offline' ? saving.kept : 0))
  const size = { size: 17, strokeWidth: 1.75, 'aria-hidden': true } as const
  if (!mayEdit && status !== 'offline') {
    return (
      <Word color="fg.muted">
        <Eye {...size} />
        {t('save.viewer')}
      </Word>
    )
  }
  if (status === 'saved') {
    return (
      <Word color="positive.fg" data-save="saved">
        <CloudCheck {...size} />
        {t('save.saved')}
      </Word>
    )
  }
  if (status === 'saving') {
    return (
      <Word color="fg.muted" data-save="saving">
        <LoaderCircle {...size} className="pl-turning" />
        {t('save.saving')}
      </Word>
    )
  }
  if (status === 'offline') {
    return (
      <Word color="warning.fg" data-save="offline">
        <CloudOff {...size} />
        {kept === 0 ? t('save.offline') : t('save.kept', { count: kept })}
      </Word>
    )
  }
  return (
    <Word color="danger.fg" data-save="failed">
      <CircleAlert {...size} />
      <chakra.span hideBelow="2xl">{t('failure.save')}</chakra.span>
      <chakra.span hideFrom="2xl">{t('save.failed')}</chakra.span>
      <Button variant="plain" size="xs" onClick={room.reconnect}>
        {t('again')}
      </Button>
    </Word>
  )
}

/** Off the screen and in the accessible name. */
const UNSEEN = { position: 'absolute', w: '1px', h: '1px', overflow: 'hidden', clipPath: 'inset(50%)' } as const

interface Modes {
  readonly hasHistory: boolean
  /** Only a dialog can be talked to, by those who may draw it. */
  readonly canTest: boolean
  /** Needs `readconversation`: shows people's paths in a dialog. */
  readonly canCount: boolean
}

const useModes = (hasHistory: boolean): Modes => {
  const { can } = useSession()
  const { address, mayEdit } = useDesigner()
  const isDialog = address.kind === 'dialog'
  return { hasHistory, canTest: mayEdit && isDialog, canCount: isDialog && can('readconversation') }
}

/** Below 1024 px the icon alone is seen. */
const ModeName = ({ children }: { readonly children: string }) => (
  <chakra.span css={{ '@media (max-width: 1023px)': UNSEEN }}>{children}</chakra.span>
)

const ModeSwitch = ({ hasHistory, canTest, canCount }: Modes) => {
  const { t } = useTranslation('designer')
  const { mode, send } = useMode()
  const { mayEdit } = useDesigner()
  const Live = mayEdit ? Pencil : Eye
  return (
    <fieldset className="pl-seg" aria-label={t('bar.mode')}>
      <button type="button" aria-pressed={mode === 'edit'} onClick={() => send({ type: 'EDIT' })}>
        <Live size={15} aria-hidden />
        <ModeName>{t(mayEdit ? 'bar.edit' : 'bar.view')}</ModeName>
      </button>
      {canTest ? (
        <button type="button" aria-pressed={mode === 'test'} onClick={() => send({ type: 'TEST' })}>
          <MessageSquareText size={15} aria-hidden />
          <ModeName>{t('bar.test')}</ModeName>
        </button>
      ) : null}
      {canCount ? (
        <button type="button" aria-pressed={mode === 'funnel'} onClick={() => send({ type: 'FUNNEL' })}>
          <Funnel size={15} aria-hidden />
          <ModeName>{t('bar.funnel')}</ModeName>
        </button>
      ) : null}
      {hasHistory ? (
        <button type="button" aria-pressed={mode === 'history'} onClick={() => send({ type: 'HISTORY' })}>
          <History size={15} aria-hidden />
          <ModeName>{t('bar.history')}</ModeName>
        </button>
      ) : null}
    </fieldset>
  )
}

/** A text that wide windows show; the others show its number, and screen readers read it in both. */
const Shortened = ({ text, short }: { readonly text: string; readonly short: string }) => (
  <>
    <chakra.span css={{ '@media (max-width: 1535px)': UNSEEN }}>{text}</chakra.span>
    <span aria-hidden>
      <chakra.span hideFrom="2xl" title={text}>
        {short}
      </chakra.span>
    </span>
  </>
)

const ToCheck = () => {
  const { t } = useTranslation('designer')
  const { findings } = useDesigner()
  const { sheet, send } = useMode()
  const found = useStoreValue(findings)
  if (found.length === 0) return null
  const errors = found.some(({ severity }) => severity === 'error')
  return (
    <Button
      variant="ghost"
      color={errors ? 'danger.fg' : 'warning.fg'}
      px="2"
      aria-expanded={sheet === 'lint'}
      onClick={() => send({ type: 'LINT' })}
    >
      <TriangleAlert size={16} aria-hidden />
      <Shortened text={t('bar.toCheck', { count: found.length })} short={String(found.length)} />
    </Button>
  )
}

/** Results of tests and lint. */
const Checks = () => (
  <>
    <TestStatusBadge />
    <ToCheck />
  </>
)

const More = ({ hasHistory, canTest, canCount }: Modes) => {
  const { t } = useTranslation(['designer', 'shell'])
  const designer = useDesigner()
  const { mayEdit } = designer
  const jumpTags = useStoreValue(designer.canvas.jumpTags)
  const compact = useStoreValue(designer.canvas.compact)
  const news = useStoreValue(designer.news)
  const { send } = useMode()
  const phone = usePhone()
  const narrow = useMedia(NARROW)
  const count = useStoreValue(designer.findings, found => found.length)
  const commands = useCommands()
  const actions = [
    ...(phone && canTest
      ? [{ id: 'test', label: t('bar.test'), icon: MessageSquareText, run: () => send({ type: 'TEST' }) }]
      : []),
    ...(phone && canCount
      ? [{ id: 'funnel', label: t('bar.funnel'), icon: Funnel, run: () => send({ type: 'FUNNEL' }) }]
      : []),
    ...(phone && hasHistory
      ? [{ id: 'history', label: t('bar.history'), icon: History, run: () => send({ type: 'HISTORY' }) }]
      : []),
    ...(canTest ? [{ id: 'share', label: t('draftlink.menu'), icon: Link2, run: () => send({ type: 'SHARE' }) }] : []),
    ...(mayEdit ? [{ id: 'import', label: t('bar.import'), icon: Upload, run: commands.importFile }] : []),
    { id: 'export', label: t('bar.export'), icon: Download, run: commands.exportFile },
    { id: 'pdf', label: t('bar.pdf'), icon: FileText, run: commands.exportPdf },
    ...(narrow && count > 0
      ? [{ id: 'lint', label: t('bar.toCheck', { count }), icon: TriangleAlert, run: () => send({ type: 'LINT' }) }]
      : []),
    { id: 'comments', label: t('bar.comments'), icon: MessageSquare, keys: 'C', run: () => send({ type: 'COMMENTS' }) },
    { id: 'outline', label: t('bar.outline'), icon: ListTree, keys: 'O', run: () => send({ type: 'OUTLINE' }) },
    {
      id: 'compact',
      label: t('bar.compact'),
      keys: 'D',
      checked: compact,
      toggle: true,
      run: commands.toggleCompact,
      separated: true,
    },
    {
      id: 'jumpTags',
      label: t('bar.jumpTags'),
      keys: 'J',
      checked: jumpTags,
      toggle: true,
      run: commands.toggleJumpTags,
    },
    { id: 'news', label: t('bar.news'), keys: 'M', checked: news, toggle: true, run: commands.toggleNews },
    { id: 'help', label: t('shell:help.open'), icon: CircleQuestionMark, keys: 'F1', run: () => help.open() },
    ...(phone
      ? []
      : [{ id: 'keys', label: t('bar.keys'), icon: Keyboard, keys: '?', run: () => send({ type: 'KEYS' }) }]),
  ]
  return (
    <ActionMenu label={t('bar.more')} actions={actions}>
      <Button variant="ghost" px="0" aria-label={t('bar.more')}>
        <EllipsisVertical size={17} aria-hidden />
      </Button>
    </ActionMenu>
  )
}

const PublishButton = ({ names }: { readonly names: FlowNames }) => {
  const { t } = useTranslation('designer')
  const { address } = useDesigner()
  const { send } = useMode()
  const unpublished = useUnpublished(address, names.flow)
  return (
    <Button variant="solid" colorPalette="accent" onClick={() => send({ type: 'PUBLISH' })}>
      {t('bar.publish')}
      {unpublished.going.length === 0 ? null : (
        <chakra.span hideBelow="md" fontWeight="normal" opacity="0.88" position="relative">
          <Shortened
            text={t('bar.changes', { count: unpublished.going.length })}
            short={String(unpublished.going.length)}
          />
        </chakra.span>
      )}
    </Button>
  )
}

/** The left of the bar. Its width depends on no content, so that the modes stay in their place. */
const Place = ({ names }: { readonly names: FlowNames }) => {
  const { t } = useTranslation('designer')
  const navigate = useNavigate()
  const { address } = useDesigner()
  const { full } = useMode()
  const back = names.task === undefined ? '/' : `/dialogtask/${names.task.id}`
  return (
    <HStack gap="2" flex={{ base: '1', md: '0 0 40%', lg: '0 0 30%', xl: '0 0 33%' }} minW="0">
      <BarStart label={t('bar.back')} onBack={() => void navigate(back)} markFrom="lg" />
      {full ? null : <Switcher address={address} names={names} />}
    </HStack>
  )
}

interface TopBarProps {
  readonly names: FlowNames
  readonly hasHistory: boolean
  readonly mayPublish: boolean
}

export const TopBar = ({ names, hasHistory, mayPublish }: TopBarProps) => {
  const { t } = useTranslation('designer')
  const modes = useModes(hasHistory)
  const { mode, send } = useMode()
  const past = mode === 'history'
  const phone = usePhone()
  return (
    <BarFrame position="relative" zIndex="panel">
      <Place names={names} />
      {phone ? null : <ModeSwitch {...modes} />}
      {/* On a phone the names take what is left. */}
      <Spacer hideBelow="md" />
      <HStack gap="2.5" minW="0">
        <chakra.span hideBelow="sm" display="flex" minW="0" overflow="hidden">
          {past ? null : <SaveState />}
        </chakra.span>
        <Avatars />
      </HStack>
      {past ? <HStack id={BAR_SLOT} gap="2" /> : null}
      {past ? null : (
        <HStack gap="1" hideBelow="lg">
          <Checks />
          <CommentsButton />
          <HelpButton />
          <Bell />
          <chakra.span hideBelow="2xl" display="flex">
            <IconButton
              icon={Keyboard}
              iconSize={17}
              label={t('bar.keys')}
              keys="?"
              onClick={() => send({ type: 'KEYS' })}
            />
          </chakra.span>
        </HStack>
      )}
      {past ? null : <More {...modes} />}
      {mayPublish && !phone ? <PublishButton names={names} /> : null}
    </BarFrame>
  )
}
