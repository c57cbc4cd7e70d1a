import './canvas/chrome.css'
import './chrome/forced.css'
import { Button, chakra, Flex, HStack, Kbd } from '@chakra-ui/react'
import { useMachine } from '@xstate/react'
import i18next from 'i18next'
import { Eye, Plus, Shapes } from 'lucide-react'
import { type ComponentType, memo, Suspense, useCallback, useEffect, useMemo, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useLocation } from 'react-router'
import { useSession } from '#web/api/session.ts'
import { ErrorState } from '#web/components/error-state.tsx'
import { DesignerSkeleton } from '#web/components/page-skeleton.tsx'
import { DESIGNER_QUERY } from '#web/entity/address.ts'
import { help } from '#web/help/help-state.ts'
import { whenIdle } from '#web/idle.ts'
import { lazyModule, lazyPart, useLazyModule } from '#web/lazy-module.ts'
import { announceRemoteEdits, announceRemoteRemoval } from './announce/announce-remote-edits.ts'
import { CanvasContext, TranslateContext, useWords } from './canvas/canvas-context.ts'
import { CanvasProvider } from './canvas/flow-canvas.tsx'
import { focusBlockIfLost } from './canvas/focus-block.ts'
import { Minimap } from './canvas/minimap.tsx'
import { EditTools, ZoomTools } from './chrome/floating-tools.tsx'
import { HoverInfo } from './chrome/hover-info.tsx'
import { ImportDialog } from './chrome/import-dialog.tsx'
import { LeftPanel } from './chrome/left-panel.tsx'
import { LinkPicker } from './chrome/link-picker.tsx'
import { Notices } from './chrome/notices.tsx'
import { TopBar } from './chrome/top-bar.tsx'
import { UnplacedEdits } from './chrome/unplaced-edits.tsx'
import { type Commands, CommandsContext, useCommands } from './commands/commands.ts'
import { useDesignerCommands } from './commands/use-commands.ts'
import { ThreadCounts } from './comment/thread-link.tsx'
import { BottomSheet } from './inspector/bottom-sheet.tsx'
import { Inspector } from './inspector/inspector.tsx'
import { richText } from './inspector/lazy-rich-text.tsx'
import { ScriptEditor } from './inspector/script-editor.tsx'
import { keepFocus } from './keyboard/use-block-keys.ts'
import { useKeys } from './keyboard/use-keys.ts'
import { usePageEntries } from './keyboard/use-page-entries.ts'
import { LiveCanvas } from './live-canvas.tsx'
import { useModeAddress } from './mode/mode-address.ts'
import { designerMachine, type Mode, ModeContext, modeOf, useMode } from './mode/mode-context.ts'
import { useStoreValue } from './model/store.ts'
import { OverlaySwitch } from './overlay-switch.tsx'
import { TrialChat, TrialFollow, TrialSteps } from './publish/trial-panel.tsx'
import { type Designer, DesignerContext, useDesigner } from './session/designer.ts'
import { type FlowNames, NamesContext } from './session/flow-names.ts'
import { Following } from './session/presence/followed-peer-frame.tsx'
import type { FlowAddress } from './session/room/flow-address.ts'
import { usePhone } from './session/use-phone.ts'
import { translatorOf, useReferences } from './session/use-references.ts'
import { useDeferredMount } from './session/use-room.ts'
import { useRevealAboveSheet } from './session/viewport-commands.ts'

const ExampleDialog = lazyPart(async () => (await import('./example/example-dialog.tsx')).ExampleDialog)

/**
 * True in a flow of the start block alone that one may edit. The block is selected when the flow opens like that, but not
 * when the last other block was removed: a second Backspace would take the start block too.
 */
const useOnlyStart = (): boolean => {
  const { canvas, mayEdit } = useDesigner()
  const only = useStoreValue(canvas.flow, ({ nodes }) => {
    const [first] = nodes.values()
    return nodes.size === 1 && first?.type === 'start' ? first.id : undefined
  })
  const isShown = only !== undefined && mayEdit
  const hadMore = useRef(false)
  const count = useStoreValue(canvas.flow, ({ nodes }) => nodes.size)
  useEffect(() => {
    if (count > 1) hadMore.current = true
    if (!isShown || hadMore.current || canvas.selection.get().blocks.size > 0) return
    canvas.selection.set({ blocks: new Set([only]), links: new Set() })
  }, [isShown, only, count, canvas])
  return isShown
}

/** In a flow with only a start block: selects it, and a line explains the next step. */
const FirstBlockHint = () => {
  const { t } = useTranslation('designer')
  const commands = useCommands()
  const [isChoosing, setChoosing] = useState(false)
  const isShown = useOnlyStart()
  const dialog = isChoosing ? (
    <Suspense fallback={null}>
      <ExampleDialog onClose={() => setChoosing(false)} />
    </Suspense>
  ) : null
  if (!isShown) return dialog
  return (
    <>
      <chakra.div
        position="absolute"
        left="50%"
        top="66%"
        pointerEvents="none"
        transform="translateX(-50%)"
        zIndex="5"
        display="flex"
        flexWrap="wrap"
        justifyContent="center"
        alignItems="center"
        gap="3"
        px="4"
        py="3"
        w="max-content"
        maxW="min(560px, calc(100% - 24px))"
        bg="bg.raised"
        borderWidth="1px"
        borderRadius="lg"
        boxShadow="raised"
        textStyle="dense"
        role="note"
      >
        <HStack gap="1.5">
          <span>{t('first.press')}</span>
          <Kbd>A</Kbd>
          <span>{t('first.drag')}</span>
        </HStack>
        <HStack gap="2" pointerEvents="auto">
          <Button variant="solid" size="sm" onClick={() => commands.openAdd()}>
            <Plus size={15} aria-hidden="true" />
            {t('first.add')}
          </Button>
          <Button size="sm" onClick={() => setChoosing(true)}>
            <Shapes size={15} aria-hidden="true" />
            {t('first.example')}
          </Button>
        </HStack>
      </chakra.div>
      {dialog}
    </>
  )
}

/** A selection is written once it rests: browsers take only so many addresses in a minute. Milliseconds. */
const REST = 300

/** Tells once whether a block is in the flow. That it is not is known when the server has sent all it has. */
const whenKnown = ({ canvas, room }: Designer, block: string, tell: (there: boolean) => void): (() => void) => {
  const { flow } = canvas
  const { provider } = room
  const look = () => {
    const there = flow.get().nodes.has(block)
    if (!there && !provider.synced) return
    stop()
    tell(there)
  }
  const unsubscribe = flow.subscribe(look)
  const stop = () => {
    unsubscribe()
    provider.off('sync', look)
  }
  provider.on('sync', look)
  look()
  return stop
}

/**
 * Keeps the selected block in the address by replacement, so that going back leaves the flow. An address with another
 * block navigates to it, or reports that it was removed.
 */
const useBlockAddress = (designer: Designer, commands: Commands, { mode, send }: Mode): void => {
  const { t } = useTranslation('designer')
  const { key, search } = useLocation()
  const { selection } = designer.canvas
  /** Block of the address that was shown, or written into it: it may still be there just after it was deselected. */
  const told = useRef<string>(undefined)
  // biome-ignore lint/correctness/useExhaustiveDependencies: the router knows no more than that the address is another one.
  useEffect(() => {
    const block = new URLSearchParams(location.search).get(DESIGNER_QUERY.block)
    if (mode !== 'edit' || block === null || block === told.current) return
    if (selection.get().blocks.has(block)) {
      told.current = block
      return
    }
    return whenKnown(designer, block, there => {
      told.current = block
      if (there) return commands.show(block)
      const text = t('said.blockGone')
      designer.said.set(text)
      designer.notice.set({
        text,
        tone: 'failed',
        action: { label: t('bar.history'), run: () => send({ type: 'HISTORY' }) },
      })
    })
  }, [designer, commands, selection, mode, send, t, key, search])
  useEffect(() => {
    if (mode !== 'edit') return
    const { pathname } = location
    let timer: ReturnType<typeof setTimeout> | undefined
    const write = () => {
      if (location.pathname !== pathname) return
      const url = new URL(location.href)
      const [block, more] = selection.get().blocks
      if (block === undefined || more !== undefined) url.searchParams.delete(DESIGNER_QUERY.block)
      else url.searchParams.set(DESIGNER_QUERY.block, block)
      told.current = more === undefined ? block : undefined
      if (url.href !== location.href) history.replaceState(history.state, '', url)
    }
    const stop = selection.subscribe(() => {
      clearTimeout(timer)
      timer = setTimeout(write, REST)
    })
    return () => {
      clearTimeout(timer)
      stop()
    }
  }, [selection, mode])
}

/** A mode whose module loads on first use; if loading fails, the flow stays open. */
const lazyMode = (load: () => Promise<ComponentType>): ComponentType => {
  const late = lazyModule(load)
  return () => {
    const { t } = useTranslation('designer')
    const { send } = useMode()
    const { value: Part, error } = useLazyModule(late)
    if (Part !== undefined) return <Part />
    if (error === undefined) return <DesignerSkeleton />
    return (
      <div className="pl-unloaded">
        <ErrorState error={error} onRetry={() => location.reload()} />
        <Button onClick={() => send({ type: 'EDIT' })}>{t('bar.toEdit')}</Button>
      </div>
    )
  }
}

/** The open dialog, talked to. */
const LazyTestMode = lazyMode(async () => {
  const [{ TestMode }] = await Promise.all([import('./test-mode.tsx'), i18next.loadNamespaces('simulation')])
  return TestMode
})

/** The open dialog with what people did in it. */
const LazyFunnelMode = lazyMode(async () => {
  const [{ FunnelMode }] = await Promise.all([import('./funnel-mode.tsx'), i18next.loadNamespaces('funnel')])
  return FunnelMode
})

type Part = ComponentType<FlowAddress>

const modules = import.meta.glob<{ HistoryMode: Part }>('./history-mode.tsx')
const [load] = Object.values(modules)
const hasHistory = load !== undefined

const historyMode = lazyModule(async () => (await load?.())?.HistoryMode)

/** After the flow is open and quiet. Milliseconds. */
const QUIET = 3000

/** Loads the history while there is a network, so that it can be opened without one. */
const useHistoryAhead = (): void => {
  useEffect(() => {
    let callOff = () => {}
    const timer = setTimeout(() => {
      callOff = whenIdle(() => void historyMode.load().catch(() => undefined))
    }, QUIET)
    return () => {
      clearTimeout(timer)
      callOff()
    }
  }, [])
}

const historyHere = (): URL => {
  const url = new URL(location.href)
  url.searchParams.set(DESIGNER_QUERY.mode, DESIGNER_QUERY.history)
  return url
}

/** The history of the open flow; the flow stays open if its module fails to load. */
const HistoryPart = (address: FlowAddress) => {
  const { t } = useTranslation('designer')
  const { send } = useMode()
  const { value: Part, error } = useLazyModule(historyMode)
  if (Part !== undefined) return <Part {...address} />
  if (error === undefined) return <DesignerSkeleton />
  return (
    <div className="pl-unloaded">
      <ErrorState error={error} onRetry={() => location.assign(historyHere())} />
      <Button onClick={() => send({ type: 'EDIT' })}>{t('bar.toEdit')}</Button>
    </div>
  )
}

interface DesignerViewProps {
  readonly designer: Designer
  readonly names: FlowNames
}

const NO_LINK = () => {}

const ViewOnly = () => {
  const { t } = useTranslation('designer')
  return (
    <p className="pl-float pl-view-only">
      <Eye size={14} aria-hidden />
      {t('sheet.viewOnly')}
    </p>
  )
}

/** The designer's machine, with its mode in the address. */
const useDesignerMode = (designer: Designer): Mode => {
  const { can } = useSession()
  const [snapshot, , machine] = useMachine(designerMachine)
  const isDialog = designer.address.kind === 'dialog'
  const send = useModeAddress(designer, machine, {
    test: designer.mayEdit && isDialog,
    funnel: can('readconversation') && isDialog,
  })
  return useMemo(() => modeOf(snapshot, send), [snapshot, send])
}

const MODE_TOPICS = { edit: 'designer', test: 'designertest', funnel: 'funnel', history: 'timetravel' } as const

/** Tells the help panel of the selected block, else of the mode. */
const useHelpSubject = ({ canvas }: Designer, { mode }: Mode): void => {
  const { blocks } = useStoreValue(canvas.selection)
  const [only] = blocks
  const type = useStoreValue(canvas.flow, ({ nodes }) => nodes.get(only ?? '')?.type)
  const isOfBlock = mode === 'edit' && blocks.size === 1 && type !== undefined
  const subject = isOfBlock ? `block:${type}` : MODE_TOPICS[mode]
  useEffect(() => help.at(subject), [subject])
}

/** Data of other flows renders nothing here, except their names in the texts. */
const Page = memo(({ designer, names }: DesignerViewProps) => {
  const session = useSession()
  const phone = usePhone()
  const mayEdit = designer.mayEdit && !phone
  const after = useDeferredMount()
  const mode = useDesignerMode(designer)
  const { send } = mode
  const { kind, id } = designer.address
  const name = names.flow?.name ?? ''
  const { commands, request } = useDesignerCommands(designer, mode, name, mayEdit)
  const [linking, setLinking] = useState<string>()
  useKeys(designer, commands, mode, mayEdit)
  useBlockAddress(designer, commands, mode)
  useHistoryAhead()
  useRevealAboveSheet(designer, phone)
  useHelpSubject(designer, mode)
  const words = useWords()
  const mayPublish = session.can(`publish${designer.address.kind}`)
  usePageEntries(designer, commands, mode, words, mayPublish, mayEdit)
  useEffect(() => keepFocus(designer), [designer])
  useEffect(() => announceRemoteEdits(designer, words), [designer, words])
  useEffect(() => announceRemoteRemoval(designer, words, () => send({ type: 'HISTORY' })), [designer, words, send])
  useEffect(() => whenIdle(() => void richText.load().catch(() => undefined)), [])
  const endLinking = useCallback(() => {
    setLinking(undefined)
    focusBlockIfLost(designer.canvas.focus.get())
  }, [designer])
  const framed = !mode.full && !phone
  const trial = useStoreValue(designer.trial)
  const edit = (
    <Flex flex="1" minH="0">
      {framed ? (
        <chakra.div
          display="flex"
          hideBelow="md"
          w={trial?.hasSteps ? { base: 'palette', xl: '264px' } : 'palette'}
          flex="none"
          bg="bg.surface"
        >
          {trial?.hasSteps ? <TrialSteps trial={trial} /> : after ? <LeftPanel names={names} /> : null}
        </chakra.div>
      ) : null}
      <Flex direction="column" flex="1" minW="0">
        <chakra.section data-region="canvas" position="relative" flex="1" minH="0">
          <LiveCanvas name={name} readOnly={!mayEdit} onLinkKey={phone ? NO_LINK : setLinking} />
          {after ? (
            <>
              <Following />
              <HoverInfo />
              <ZoomTools canvas={designer.canvas} />
              {phone ? <ViewOnly /> : <EditTools />}
              {phone ? null : <FirstBlockHint />}
              {phone ? null : <Minimap />}
              <UnplacedEdits />
              <ThreadCounts />
              {trial?.channel === undefined || phone ? null : <TrialFollow trial={trial} />}
            </>
          ) : null}
          <OverlaySwitch request={request} />
          <ImportDialog />
          {linking === undefined ? null : <LinkPicker block={linking} onClose={endLinking} />}
          <Notices />
        </chakra.section>
        {kind === 'handler' && framed ? <ScriptEditor /> : null}
      </Flex>
      {phone ? <BottomSheet /> : <Inspector hidden={mode.full} onLink={setLinking} />}
      {trial?.channel === undefined ? null : <TrialChat trial={trial} channel={trial.channel} />}
    </Flex>
  )
  return (
    <ModeContext value={mode}>
      <CommandsContext value={commands}>
        <CanvasContext value={designer.canvas}>
          <Flex direction="column" flex="1" minH="0">
            <TopBar names={names} hasHistory={hasHistory} mayPublish={mayPublish && mode.mode === 'edit'} />
            {mode.mode === 'history' ? <HistoryPart kind={kind} id={id} /> : null}
            {mode.mode === 'test' ? <LazyTestMode /> : null}
            {mode.mode === 'funnel' ? <LazyFunnelMode /> : null}
            {mode.mode === 'edit' ? edit : null}
          </Flex>
        </CanvasContext>
      </CommandsContext>
    </ModeContext>
  )
})

/** An open flow: bar, panels, canvas and inspector around one room. */
export const DesignerView = ({ designer, names }: DesignerViewProps) => {
  const { t } = useTranslation(['designer', 'block'])
  const { nameOf, known } = useReferences(designer.canvas.flow, names)
  const words = useMemo(() => translatorOf((key, values) => t(key, values ?? {}), nameOf), [t, nameOf])
  useEffect(() => designer.known.set(known), [designer, known])
  return (
    <DesignerContext value={designer}>
      <NamesContext value={names}>
        <TranslateContext value={words}>
          <CanvasProvider>
            <Page designer={designer} names={names} />
          </CanvasProvider>
        </TranslateContext>
      </NamesContext>
    </DesignerContext>
  )
}
