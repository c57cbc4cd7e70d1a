import { Box, Button, HStack, Stack, Text } from '@chakra-ui/react'
import { skipToken, useQuery } from '@tanstack/react-query'
import { Copy, Ellipsis, History, Trash2 } from 'lucide-react'
import { type ComponentProps, type ReactNode, Suspense, useDeferredValue, useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useSearchParams } from 'react-router'
import { type EntityDeclaration, isSingle, parentField } from '#schemas/entity.ts'
import type { NamedRow } from '#schemas/row.ts'
import { isProblem } from '#web/api/failure.ts'
import { http } from '#web/api/http.ts'
import { useSession } from '#web/api/session.ts'
import { ActionMenu, type MenuAction } from '#web/components/action-menu.tsx'
import { IconButton } from '#web/components/hint.tsx'
import { ConfirmDialog } from '#web/components/modal.tsx'
import { PageSkeleton, RowsSkeleton } from '#web/components/page-skeleton.tsx'
import { Segments } from '#web/components/segments.tsx'
import { type ActionAnswer, useEntityActions } from '#web/entity/action/use-entity-actions.tsx'
import { FORM_QUERY } from '#web/entity/address.ts'
import { useEntityCommand } from '#web/entity/entity-command.ts'
import { detailQuery, type HistoryItem, historyQuery, type Row } from '#web/entity/entity-query.ts'
import { HistoryPanel } from '#web/entity/history/history-panel.tsx'
import { inSentence, useEntityTextsReady, useLabel } from '#web/entity/label.ts'
import { ParentTabs } from '#web/entity/parent-tabs.tsx'
import { RemovalText, UsedBySection, usedByList } from '#web/entity/used-by.tsx'
import { UnsavedPrompt } from '#web/form/unsaved-prompt.tsx'
import { lazyPart } from '#web/lazy-module.ts'
import { useCopy } from '#web/notice/use-copy.ts'
import { ErrorMessage } from '#web/page/error-page.tsx'
import { Page } from '#web/page/page.tsx'
import { PageLoadError } from '#web/page/page-load-error.tsx'
import { useGuardedNavigate } from '#web/page/use-address.ts'
import { useLevelOf } from '#web/shell/level.ts'
import { useShortcut } from '#web/shell/use-shortcut.ts'
import { ConflictDialog } from './conflict-dialog.tsx'
import { EntityForm } from './entity-form.tsx'
import { RemovedDetail, RemovedMeanwhile } from './removed-detail.tsx'
import { InkBand, RevisionForm } from './revision-form.tsx'
import { SaveBar } from './save-bar.tsx'
import { useEntityForm } from './use-entity-form.ts'

const CodePane = lazyPart(async () => (await import('#web/components/code-pane.tsx')).CodePane)
const MarkdownView = lazyPart(async () => (await import('#web/components/markdown/markdown-view.tsx')).MarkdownView)

const VIEW = 'view'
const READ = 'read'

/** Whether a page is in reading mode, and its toggle to the form. Reading is the default without write access. */
const useReadingView = (
  entity: EntityDeclaration,
  readOnly: boolean,
): { readonly isOn: boolean; readonly toggle: ReactNode } => {
  const { t } = useTranslation('shell')
  const [search, setSearch] = useSearchParams()
  if (entity.reading === undefined) return { isOn: false, toggle: null }
  const view = search.get(VIEW) ?? (readOnly ? READ : 'edit')
  const show = (next: string) =>
    setSearch(
      before => {
        const after = new URLSearchParams(before)
        after.set(VIEW, next)
        return after
      },
      { replace: true },
    )
  const options = [
    { value: READ, label: t('reader.read') },
    { value: 'edit', label: t(readOnly ? 'reader.fields' : 'reader.edit') },
  ]
  return {
    isOn: view === READ,
    toggle: <Segments label={t('reader.view')} value={view} onChange={show} options={options} />,
  }
}

const Code = ({ label, code }: { readonly label: string; readonly code: string }) => {
  const { t } = useTranslation('shell')
  const copy = useCopy()
  return (
    <Box borderWidth="1px" borderRadius="lg" bg="bg.surface" overflow="hidden">
      <HStack justify="space-between" px="3" py="1.5" borderBottomWidth="1px" bg="bg.subtle">
        <Text textStyle="label">{label}</Text>
        <Button size="sm" variant="ghost" onClick={() => void copy(code)}>
          <Copy size={14} aria-hidden="true" />
          {t('reader.copy')}
        </Button>
      </HStack>
      <CodePane label={label} value={code} language="javascript" lineNumbers maxHeight="70vh" />
    </Box>
  )
}

/** The fields of a thing that are read: code with colours and a button that copies it, markdown rendered, other texts as they are. */
const EntityReader = ({ entity, row }: { readonly entity: EntityDeclaration; readonly row: Row }) => {
  const { t } = useTranslation('shell')
  const label = useLabel()
  const texts = (entity.reading ?? []).flatMap(name => {
    const value = row[name]
    return typeof value === 'string' && value.trim() !== '' ? [{ name, value }] : []
  })
  return (
    <Suspense fallback={<RowsSkeleton />}>
      <Stack as="article" gap="5" maxW="960px" mb="6">
        {texts.length === 0 ? <Text color="fg.muted">{t('reader.empty')}</Text> : null}
        {texts.map(({ name, value }) => {
          const kind = entity.fields[name]?.kind
          if (kind === 'code') return <Code key={name} label={label.field(entity.name, name)} code={value} />
          if (kind === 'markdown')
            return (
              <Box key={name} borderWidth="1px" borderRadius="lg" bg="bg.surface" px={{ base: '4', md: '6' }} py="4">
                <MarkdownView source={value} />
              </Box>
            )
          return (
            <Text key={name} color="fg.muted" whiteSpace="pre-line" overflowWrap="anywhere">
              {value}
            </Text>
          )
        })}
      </Stack>
    </Suspense>
  )
}

interface Moment {
  readonly chosen: HistoryItem | undefined
  readonly moment: number | undefined
  /** The fields as they stood at that moment. */
  readonly then: Row | undefined
  ofField(field: string): void
}

interface DetailBodyProps {
  readonly entity: EntityDeclaration
  readonly row: Row
  readonly hidden: ReadonlySet<string>
  readonly state: ReturnType<typeof useEntityForm>
  readonly history: Moment
  readonly readOnly: boolean
  readonly isReading: boolean
  readonly isFixed: Props['isFixed']
}

/** A thing as it was, as it is read while nothing in it is changed, or its form. */
const DetailBody = ({ entity, row, hidden, state, history, readOnly, isReading, isFixed }: DetailBodyProps) => {
  const { chosen, moment, then } = history
  if (moment !== undefined && then !== undefined)
    return <RevisionForm key={moment} entity={entity} row={{ ...row, ...then }} chosen={chosen} hidden={hidden} />
  if (isReading && state.dirty.length === 0) return <EntityReader entity={entity} row={row} />
  return (
    <EntityForm
      entity={entity}
      id={row.id}
      form={state.form}
      creating={false}
      readOnly={readOnly}
      dirty={state.dirty}
      errors={state.errors}
      failure={state.failure}
      refusals={state.refusals}
      conflicts={state.conflicts}
      onLeave={state.check}
      meanwhile={state.meanwhile}
      chosen={chosen}
      hidden={hidden}
      isFixed={isFixed && (field => isFixed(row, field))}
      onHistory={history.ofField}
    />
  )
}

interface FirstActionProps {
  readonly action: MenuAction | undefined
  /** Why it cannot be carried out now. */
  readonly blocked: string | undefined
}

/** The declared action with its own button. */
const PrimaryActionButton = ({ action, blocked }: FirstActionProps) =>
  action === undefined ? null : (
    <Button onClick={action.run} disabled={blocked !== undefined} title={blocked}>
      {action.icon === undefined ? null : <action.icon size={15} aria-hidden="true" />}
      {action.label}
    </Button>
  )

interface Props<N extends string = string> {
  readonly entity: EntityDeclaration & { readonly name: N }
  readonly id: string
  /** Address opened after removal. */
  readonly listAt: string
  readonly beside?: (row: NamedRow<N>) => ReactNode
  readonly actions?: (row: NamedRow<N>) => ReactNode
  readonly menu?: (row: NamedRow<N>) => readonly MenuAction[]
  readonly hidden?: ReadonlySet<string>
  readonly above?: (row: NamedRow<N>) => ReactNode
  /** Beside the form while the history is closed. */
  readonly aside?: (row: NamedRow<N>) => ReactNode
  /** Tab that shows the form, if the entity also has its own page. */
  readonly tab?: string
  /** Shown below the form. */
  readonly below?: (row: NamedRow<N>) => ReactNode
  /** Shown below a refused removal; `again` repeats it. */
  readonly removalHelp?: (row: NamedRow<N>, failure: unknown, again: () => void) => ReactNode
  /** Why the first declared action cannot be carried out now; `isDirty`: there are unsaved changes. */
  readonly blocked?: (row: NamedRow<N>, isDirty: boolean) => string | undefined
  /** Whether a field is fixed in the state of the row. */
  readonly isFixed?: (row: NamedRow<N>, field: string) => boolean
  /** Receives a declared action's answer. */
  readonly onActed?: (action: string, answer: ActionAnswer) => void
}

const NONE: ReadonlySet<string> = new Set()

/** Owner of the tabs: the row itself, or the parent of a single row that is a tab. */
const tabsOwner = (entity: EntityDeclaration, row: Row, tab: string | undefined) => {
  const parent = parentField(entity)
  const parentId = parent === undefined ? undefined : row[parent]
  return isSingle(entity) && parent !== undefined && typeof parentId === 'string'
    ? { entity: parent, id: parentId, active: entity.name }
    : { entity: entity.name, id: row.id, ...(tab === undefined ? {} : { active: tab }) }
}

/** One thing of an entity: its form, its history, its end and its return. */
export const EntityDetail = <N extends string>(given: Props<N>) => {
  // The row that is read below is one of this entity.
  const props = given as unknown as Props
  const { entity, id } = props
  const query = useQuery(detailQuery(entity.name, id))
  const [last, setLast] = useState(query.data)
  if (query.data !== undefined && query.data !== last) setLast(query.data)
  const ready = useEntityTextsReady([entity.name])
  if (!ready) return <PageSkeleton />
  const isGone = isProblem(query.error, 404)
  // A form with typed values stays after the removal of its entity.
  const row = query.data ?? (isGone && last?.id === id ? last : undefined)
  if (row !== undefined) return <Present key={id} {...props} row={row} isGone={isGone} />
  if (isGone) return <RemovedDetail entity={entity} id={id} />
  if (query.error) return <PageLoadError error={query.error} onRetry={() => void query.refetch()} />
  return <PageSkeleton />
}

/** The thing as it was after a revision. */
const useRowAt = (entity: EntityDeclaration, row: Row, moment: number | undefined) =>
  useQuery({
    queryKey: [entity.name, 'at', row.id, moment],
    queryFn:
      moment === undefined
        ? skipToken
        : () =>
            http.get('/{entity}/{id}/at/{revision}', {
              params: { entity: entity.name, id: row.id, revision: moment },
            }),
    staleTime: Number.POSITIVE_INFINITY,
  }).data

/** Which change is looked at, and whether the form shows the moment after it. */
const useHistory = (entity: EntityDeclaration, row: Row) => {
  const [search, setSearch] = useSearchParams()
  const open = search.get(FORM_QUERY.history) !== null
  const moment = Number(search.get(FORM_QUERY.at)) || undefined
  const [chosen, setChosen] = useState<HistoryItem>()
  const [field, setField] = useState<string>()
  const set = (name: string, value: string | undefined) =>
    setSearch(
      before => {
        const next = new URLSearchParams(before)
        if (value === undefined) next.delete(name)
        else next.set(name, value)
        return next
      },
      { replace: true },
    )
  const then = useRowAt(entity, row, moment)
  const { data: items } = useQuery({ ...historyQuery(entity.name, row.id), enabled: moment !== undefined })
  useEffect(() => {
    const item = items?.find(one => one.revision === moment)
    if (item !== undefined) setChosen(item)
  }, [items, moment])
  return {
    open,
    chosen: open ? chosen : undefined,
    field,
    moment,
    then,
    preview: (revision: number | undefined) =>
      set(FORM_QUERY.at, revision === undefined ? undefined : String(revision)),
    choose: (item: HistoryItem | undefined) => {
      setChosen(item)
      if (moment !== undefined) set(FORM_QUERY.at, item === undefined ? undefined : String(item.revision))
    },
    setField,
    toggle: () => set(FORM_QUERY.history, open ? undefined : '1'),
    ofField: (name: string) => {
      setField(name)
      set(FORM_QUERY.history, '1')
    },
    close: () => {
      setSearch(
        before => {
          const next = new URLSearchParams(before)
          next.delete(FORM_QUERY.history)
          next.delete(FORM_QUERY.at)
          return next
        },
        { replace: true },
      )
      setChosen(undefined)
      setField(undefined)
    },
  }
}

interface HistoryButtonProps {
  readonly history: Pick<ReturnType<typeof useHistory>, 'open' | 'toggle'>
  /** Without its word on a phone. */
  readonly isSmall: boolean
}

const HistoryButton = ({ history: { open, toggle }, isSmall }: HistoryButtonProps) => {
  const { t } = useTranslation('shell')
  return (
    <Button aria-label={t('history')} aria-pressed={open} onClick={toggle}>
      <History size={15} aria-hidden="true" />
      <Box as="span" {...(isSmall ? { hideBelow: 'sm' } : {})}>
        {t('history')}
      </Box>
    </Button>
  )
}

/** Removes what the page shows and leads to its list. */
const useGoodbye = (command: Pick<ReturnType<typeof useEntityCommand>, 'remove'>, row: Row, listAt: string) => {
  const goOn = useGuardedNavigate()
  return () => {
    return command.remove(row).then(() => goOn(listAt))
  }
}

interface BesideProps extends Pick<Props, 'entity'> {
  readonly aside: Props['aside'] | undefined
  readonly row: Row
  readonly history: ReturnType<typeof useHistory>
  readonly previewing: boolean
}

/** The open history, else the page's own panel. */
const Beside = ({ entity, row, history, previewing, aside }: BesideProps) =>
  history.open ? (
    <HistoryPanel
      entity={entity}
      row={row}
      field={history.field}
      chosen={history.chosen?.revision}
      previewing={previewing}
      onField={history.setField}
      onChoose={history.choose}
      onPreview={history.preview}
      onClose={history.close}
    />
  ) : (
    aside?.(row)
  )

interface BodyProps extends ComponentProps<typeof DetailBody> {
  /** Renders after the rest of the page. */
  readonly isLater: boolean
  readonly below: ReactNode
  readonly usedBy: ReactNode
}

const Body = ({ isLater, below, usedBy, ...body }: BodyProps) => {
  const isShown = useDeferredValue(true, !isLater)
  if (!isShown) return null
  return (
    <>
      <DetailBody {...body} />
      {below}
      {usedBy}
    </>
  )
}

interface PresentProps extends Props {
  readonly row: Row
  /** Removed while it is open: a form with changes stays. */
  readonly isGone: boolean
}

interface BandProps extends Pick<PresentProps, 'entity' | 'row' | 'isGone'> {
  readonly history: ReturnType<typeof useHistory>
  readonly previewing: boolean
}

const Band = ({ entity, row, history, previewing, isGone }: BandProps) => {
  if (previewing)
    return (
      <InkBand entity={entity} row={row} revision={history.moment ?? 0} onBack={() => history.preview(undefined)} />
    )
  return isGone ? <RemovedMeanwhile entity={entity} id={row.id} /> : null
}

const Present = (props: PresentProps) => {
  const { entity, id, row, listAt, beside, actions, menu, hidden = NONE, above, aside, below, blocked, onActed } = props
  const { t } = useTranslation('shell')
  const label = useLabel()
  const { can } = useSession()
  const command = useEntityCommand(entity)
  const declared = useEntityActions(entity, onActed)
  const [removing, setRemoving] = useState(false)
  useLevelOf(entity.name, row)
  const history = useHistory(entity, row)
  const state = useEntityForm({ entity, row, fixed: {}, onCreated: () => {} })
  const previewing = history.moment !== undefined && history.then !== undefined
  const name = label.title(entity, row)
  const readOnly = !can(`update${entity.name}`)
  const reading = useReadingView(entity, readOnly)
  useShortcut('h', history.toggle)
  const remove: MenuAction = {
    id: 'remove',
    label: t('remove'),
    icon: Trash2,
    danger: true,
    separated: true,
    run: () => setRemoving(true),
  }
  const [first, ...others] = declared.entries(row, 'page')
  const entries = [...others, ...(menu?.(row) ?? []), ...(can(`delete${entity.name}`) ? [remove] : [])]
  const goodbye = useGoodbye(command, row, listAt)
  const isHidden = entity.rights === undefined && !can(`read${entity.name}`) && state.dirty.length === 0
  if (isHidden) return <ErrorMessage code="403" />
  if (props.isGone && (removing || state.dirty.length === 0)) return <RemovedDetail entity={entity} id={id} />
  return (
    <Page
      title={name}
      // The trail ends with the entity itself where there is one thing of it.
      {...(isSingle(entity) ? {} : { name })}
      beside={beside?.(row)}
      actions={
        <>
          <PrimaryActionButton action={first} blocked={blocked?.(row, state.dirty.length > 0)} />
          {actions?.(row)}
          {reading.toggle}
          <HistoryButton history={history} isSmall={actions !== undefined} />
          {entries.length > 0 ? (
            <ActionMenu label={t('moreof', { name })} actions={entries}>
              <IconButton icon={Ellipsis} label={t('moreof', { name })} />
            </ActionMenu>
          ) : null}
        </>
      }
      band={<Band {...{ entity, row, history, previewing }} isGone={props.isGone} />}
      bar={
        state.dirty.length > 0 && !previewing ? (
          <SaveBar
            fields={state.dirty.map(field => label.field(entity.name, field, String(row.type ?? '')))}
            creating={false}
            busy={state.busy}
            forbidden={readOnly}
            onSave={() => void state.save()}
            onDiscard={state.discard}
          />
        ) : null
      }
      aside={<Beside {...{ entity, row, history, previewing, aside }} />}
    >
      <ParentTabs {...tabsOwner(entity, row, props.tab)} />
      {previewing ? null : above?.(row)}
      <Body
        {...{ entity, row, hidden, state, history, readOnly, isFixed: props.isFixed }}
        isReading={reading.isOn}
        isLater={above !== undefined}
        below={previewing ? null : below?.(row)}
        usedBy={previewing ? null : <UsedBySection entity={entity.name} id={id} />}
      />
      {state.conflict === undefined ? null : (
        <ConflictDialog
          entity={entity}
          row={row}
          conflict={state.conflict}
          busy={state.busy}
          onResolve={own => void state.resolve(own)}
          onClose={state.keepEditing}
        />
      )}
      {declared.dialog}
      {removing ? (
        <ConfirmDialog
          details={(failure, again) => usedByList(failure) ?? props.removalHelp?.(row, failure, again)}
          title={t('removetitle', { kind: inSentence(label.name(entity.name)), name })}
          action={t('remove')}
          onClose={() => setRemoving(false)}
          onConfirm={goodbye}
        >
          <RemovalText entity={entity.name} id={id} bot={typeof row.bot === 'string' ? row.bot : undefined} />
        </ConfirmDialog>
      ) : null}
      <UnsavedPrompt key={id} />
    </Page>
  )
}
