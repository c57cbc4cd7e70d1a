import { Button, chakra, HStack, Input, Kbd } from '@chakra-ui/react'
import i18next from 'i18next'
import {
  CaseSensitive,
  ChevronDown,
  ChevronUp,
  CircleAlert,
  CircleCheck,
  Replace,
  TextSearch,
  TriangleAlert,
  WholeWord,
  X,
} from 'lucide-react'
import { Fragment, type RefObject, useEffect, useMemo, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { LintFinding } from '#domain/flow/lint/lint-flow.ts'
import { Chip } from '#web/components/chip.tsx'
import { IconButton } from '#web/components/hint.tsx'
import { LateKeySheet } from '#web/help/help-host.tsx'
import { lazyModule, useLazyModule } from '#web/lazy-module.ts'
import { useWords } from './canvas/canvas-context.ts'
import { focusBlockIfLost } from './canvas/focus-block.ts'
import { BlockSearch } from './chrome/block-search.tsx'
import { Outline } from './chrome/outline.tsx'
import { Tracker } from './chrome/tracker.tsx'
import { type AddRequest, useCommands } from './commands/commands.ts'
import { useMode } from './mode/mode-context.ts'
import { boxOf, shownTitle, typeName } from './model/block-appearance.ts'
import { findBlocks } from './model/block-text.ts'
import { findingMessage } from './model/finding-messages.ts'
import { bounds, COMFORTABLE } from './model/geometry.ts'
import { previewOf, previewText } from './model/preview.ts'
import { sectionTitles } from './model/reading-order.ts'
import { useStoreValue } from './model/store.ts'
import { DraftLinkDialog } from './publish/draft-link-dialog.tsx'
import { MissingStepsSheet, PublishFlow } from './publish/publish-flow.tsx'
import { openSearch, openUses, SEARCH_FIELD_ID, useMayReplace } from './search/open-search.ts'
import { useDesigner } from './session/designer.ts'
import type { SearchState } from './session/search-state.ts'
import { usePhone } from './session/use-phone.ts'

/** In the place of what could not be fetched. */
const UnloadedPart = () => {
  const { t } = useTranslation('designer')
  return (
    <chakra.p role="alert" p="3.5" fontSize="sm">
      {t('seek.unloaded')}
    </chakra.p>
  )
}

const Mark = ({ severity }: { readonly severity: LintFinding['severity'] }) => (
  <chakra.span color={severity === 'error' ? 'danger.fg' : 'warning.fg'} flex="none">
    {severity === 'error' ? <CircleAlert size={16} aria-hidden /> : <TriangleAlert size={16} aria-hidden />}
  </chakra.span>
)

/** Which of several blocks of a type is meant: its title, or what it says. */
const Which = ({ finding }: { readonly finding: LintFinding }) => {
  const words = useWords()
  const { canvas } = useDesigner()
  const node = useStoreValue(canvas.flow, flow => flow.nodes.get(finding.block))
  if (node === undefined) return null
  const title = shownTitle(node, words)
  const text = title.own ? title.text : previewText(previewOf(node, words))
  return text === '' ? null : (
    <chakra.small display="block" color="fg.muted" lineClamp={1}>
      {text}
    </chakra.small>
  )
}

/** Findings to fix before the flow goes live: errors first, each with a fix. */
const LintSheet = () => {
  const { t } = useTranslation('designer')
  const words = useWords()
  const designer = useDesigner()
  const { findings, canvas, mayEdit } = designer
  const { send } = useMode()
  const commands = useCommands()
  const found = useStoreValue(findings)
  const flow = useStoreValue(canvas.flow)
  const selection = useStoreValue(canvas.selection)
  const sections = sectionTitles(flow, words)
  const errors = found.filter(({ severity }) => severity === 'error').length
  const nameOf = ({ block }: LintFinding) => {
    const node = flow.nodes.get(block)
    return node === undefined ? t('lint.flow') : typeName(node.type, words)
  }
  const groups = Map.groupBy(found, ({ severity, block }) => `${severity}\n${sections.get(block) ?? ''}`)
  const addStart = () => {
    const first = bounds([...flow.nodes.values()].map(node => boxOf(node, COMFORTABLE))) ?? { x: 0, y: 0 }
    commands.addAt('start', { x: first.x + COMFORTABLE.width / 2, y: first.y - COMFORTABLE.height })
  }
  const mend = ({ code, block, field, name = '' }: LintFinding) => {
    if (code === 'flow.start') addStart()
    else if (code === 'variable.unused') openUses(designer, send, { of: 'variable', value: name })
    else commands.show(block, field)
  }
  return (
    <chakra.section className="pl-sheet" aria-label={t('lint.title')}>
      <HStack px="3.5" py="2.5" gap="2">
        <chakra.h2 fontSize="md">{t('lint.title')}</chakra.h2>
        {errors > 0 ? (
          <Chip tone="danger">
            <CircleAlert size={13} aria-hidden />
            <span>{t('lint.errors', { count: errors })}</span>
          </Chip>
        ) : null}
        {found.length > errors ? (
          <Chip tone="warning">
            <TriangleAlert size={13} aria-hidden />
            <span>{t('lint.warnings', { count: found.length - errors })}</span>
          </Chip>
        ) : null}
        <chakra.span flex="1" />
        <chakra.span fontSize="xs" color="fg.muted">
          <Kbd>F8</Kbd> {t('lint.next')}
        </chakra.span>
        <IconButton icon={X} label={t('close')} size="xs" onClick={() => send({ type: 'CLOSE' })} />
      </HStack>
      <chakra.ul overflowY="auto" listStyleType="none" m="0">
        {[...groups].map(([key, findings]) => (
          <Fragment key={key}>
            {key.endsWith('\n') ? null : (
              <chakra.li px="3.5" pt="3" pb="1" fontSize="xs" fontWeight="semibold" color="fg.muted">
                {key.slice(key.indexOf('\n') + 1)}
              </chakra.li>
            )}
            {findings.map(finding => (
              <chakra.li
                key={`${finding.block} ${finding.code} ${finding.field ?? ''} ${finding.check ?? ''} ${finding.name ?? ''}`}
                display="flex"
                alignItems="center"
                gap="2.5"
                px="3.5"
                minH="10"
                borderTopWidth="1px"
                fontSize="sm"
                bg={selection.blocks.has(finding.block) ? 'accent.subtle' : undefined}
              >
                <Mark severity={finding.severity} />
                <chakra.span flex="1" py="1.5">
                  <b>{nameOf(finding)}</b> {findingMessage(finding, flow, words)}
                  <Which finding={finding} />
                </chakra.span>
                {finding.code === 'flow.start' && !mayEdit ? null : (
                  <Button variant="plain" size="xs" onClick={() => mend(finding)}>
                    {t(`lint.fix.${finding.code.replace('.', '_')}`)}
                  </Button>
                )}
              </chakra.li>
            ))}
          </Fragment>
        ))}
      </chakra.ul>
      {found.length === 0 ? (
        <HStack px="3.5" pb="3" gap="2" fontSize="sm" color="positive.fg">
          <CircleCheck size={16} aria-hidden />
          {t('lint.clean')}
        </HStack>
      ) : null}
    </chakra.section>
  )
}

/** The blocks that a search finds; they stay bright. */
const useFoundBlocks = (search: string): readonly string[] => {
  const words = useWords()
  const { canvas } = useDesigner()
  const flow = useStoreValue(canvas.flow)
  const found = useMemo(() => findBlocks(flow, search, words), [flow, search, words])
  useEffect(() => {
    canvas.bright.set(search.trim() === '' ? undefined : new Set(found))
  }, [canvas, search, found])
  useEffect(() => () => canvas.bright.set(undefined), [canvas])
  return found
}

/** Finds blocks by text, title, variable and type: hits stay bright, the rest fades, Enter goes to the next. */
const FindBar = () => {
  const { t } = useTranslation('designer')
  const designer = useDesigner()
  const phone = usePhone()
  const mayEdit = designer.mayEdit && !phone
  const { send } = useMode()
  const commands = useCommands()
  const [search, setSearch] = useState('')
  const [at, setAt] = useState(-1)
  const found = useFoundBlocks(search)
  const go = (step: 1 | -1) => {
    const next = (at + step + found.length) % Math.max(1, found.length)
    const block = found[next]
    if (block === undefined) return
    setAt(next)
    commands.show(block)
  }
  const close = () => send({ type: 'CLOSE' })
  return (
    <chakra.search
      aria-label={t('find.label')}
      className="pl-float"
      position="absolute"
      top="3"
      left="50%"
      translate="-50% 0"
      w="max-content"
      maxW="calc(100% - 16px)"
      gap="1"
      zIndex="panel"
      onKeyDown={event => {
        event.stopPropagation()
        if (event.key === 'Escape') close()
        if (event.key === 'Enter') go(event.shiftKey ? -1 : 1)
      }}
    >
      <Input
        autoFocus
        w="220px"
        minW="0"
        flexShrink="1"
        value={search}
        aria-label={t('find.label')}
        placeholder={t('find.label')}
        onChange={event => {
          setSearch(event.target.value)
          setAt(-1)
        }}
      />
      <chakra.output
        fontSize="xs"
        color="fg.muted"
        minW={{ base: '0', md: '64px' }}
        textAlign="center"
        whiteSpace="nowrap"
      >
        {search.trim() === '' ? '' : t('find.count', { count: found.length, at: at + 1 })}
      </chakra.output>
      <IconButton icon={ChevronUp} label={t('find.previous')} size="xs" onClick={() => go(-1)} />
      <IconButton icon={ChevronDown} label={t('find.next')} size="xs" onClick={() => go(1)} />
      <IconButton
        icon={mayEdit ? Replace : TextSearch}
        label={t(mayEdit ? 'keys.replace' : 'seek.title')}
        keys="Ctrl H"
        size="xs"
        onClick={() => openSearch(designer, send, { text: search.trim(), scope: 'flow', isReplacing: mayEdit })}
      />
      <IconButton icon={X} label={t('close')} size="xs" onClick={close} />
    </chakra.search>
  )
}

const hits = lazyModule(async () => (await import('./search/search-hits.tsx')).SearchHits)

type Switch = 'isExact' | 'isWholeWord' | 'isReplacing'

/** Text search. The field shows at once with the last query; the search module loads on first use. */
const SearchSheet = () => {
  const { t } = useTranslation('designer')
  const { seek } = useDesigner()
  const { send } = useMode()
  const held = useStoreValue(seek)
  const mayReplace = useMayReplace()
  const field = useRef<HTMLInputElement>(null)
  const { value: SearchHits, error } = useLazyModule(hits)
  useEffect(() => field.current?.select(), [])
  const write = (part: Partial<SearchState>) => seek.set(now => ({ ...now, ...part }))
  const close = () => send({ type: 'CLOSE' })
  const option = (label: string, icon: typeof WholeWord, name: Switch) => (
    <IconButton
      icon={icon}
      label={label}
      size="xs"
      aria-pressed={held[name]}
      variant={held[name] ? 'subtle' : 'ghost'}
      onClick={() => write({ [name]: !held[name] })}
    />
  )
  return (
    <chakra.section
      className="pl-sheet"
      aria-label={t('seek.title')}
      onKeyDown={event => {
        event.stopPropagation()
        if (event.key === 'Escape') close()
      }}
    >
      <HStack px="3.5" py="2">
        <chakra.h2 fontSize="md" flex="1">
          {t('seek.title')}
        </chakra.h2>
        <IconButton icon={X} label={t('close')} size="xs" onClick={close} />
      </HStack>
      <chakra.search className="pl-seek">
        <div className="pl-seek-row">
          <Input
            ref={field}
            id={SEARCH_FIELD_ID}
            autoFocus
            value={held.text}
            maxLength={500}
            aria-label={t('seek.text')}
            placeholder={t('seek.text')}
            onChange={event => write({ text: event.target.value })}
          />
          {option(t('seek.exact'), CaseSensitive, 'isExact')}
          {option(t('seek.word'), WholeWord, 'isWholeWord')}
          {mayReplace ? option(t('seek.replace'), Replace, 'isReplacing') : null}
        </div>
      </chakra.search>
      {SearchHits === undefined ? null : <SearchHits />}
      {error === undefined ? null : <UnloadedPart />}
    </chakra.section>
  )
}

const commentSheet = lazyModule(async () => {
  const [{ CommentSheet }] = await Promise.all([
    import('./comment/comment-sheet.tsx'),
    i18next.loadNamespaces('comment'),
  ])
  return CommentSheet
})

/** The panel of comments, as soon as it is there with its texts. */
const LateComments = () => {
  const { value: Sheet } = useLazyModule(commentSheet)
  return Sheet === undefined ? null : <Sheet />
}

const usesSheet = lazyModule(async () => (await import('./chrome/uses-sheet.tsx')).UsesSheet)

/** The sheet of uses, fetched when it is first opened. */
const LateUses = () => {
  const { value: UsesSheet, error } = useLazyModule(usesSheet)
  if (UsesSheet !== undefined) return <UsesSheet />
  if (error === undefined) return null
  return (
    <section className="pl-sheet">
      <UnloadedPart />
    </section>
  )
}

/** The one thing that lies over the canvas. */
export const OverlaySwitch = ({ request }: { readonly request: RefObject<AddRequest> }) => {
  const { sheet, send } = useMode()
  const commands = useCommands()
  const { canvas } = useDesigner()
  const close = () => send({ type: 'CLOSE' })
  const before = useRef(sheet)
  useEffect(() => {
    if (sheet === 'none' && before.current !== 'none') focusBlockIfLost(canvas.focus.get())
    before.current = sheet
  }, [sheet, canvas])
  switch (sheet) {
    case 'lint':
      return <LintSheet />
    case 'find':
      return <FindBar />
    case 'keys':
      return <LateKeySheet onClose={close} />
    case 'outline':
      return <Outline />
    case 'track':
      return <Tracker />
    case 'comments':
      return <LateComments />
    case 'search':
      return <SearchSheet />
    case 'uses':
      return <LateUses />
    case 'publish':
      return <PublishFlow onClose={close} />
    case 'reach':
      return <MissingStepsSheet onClose={close} />
    case 'share':
      return <DraftLinkDialog onClose={close} />
    case 'add': {
      const asked = request.current
      const { after } = asked
      // Of a chosen link the output is known.
      const open = after?.link === undefined ? after : undefined
      return (
        <BlockSearch
          at={asked.screen}
          after={open && { source: open.source, output: open.output?.fromConnector }}
          onClose={close}
          onChoose={(type, way) => {
            const chosen =
              open === undefined || way === undefined
                ? after
                : { source: open.source, output: { from: open.source.id, fromConnector: way } }
            commands.add(type, { ...asked, after: chosen })
            close()
          }}
        />
      )
    }
    case 'none':
      return null
    default:
      return sheet satisfies never
  }
}
