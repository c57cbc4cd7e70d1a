import { Button, HStack, Text } from '@chakra-ui/react'
import { useQuery } from '@tanstack/react-query'
import { CopyPlus, Ellipsis, PenLine, Trash2, Undo2, Upload } from 'lucide-react'
import { useEffect, useId, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useLocation, useNavigate, useParams, useSearchParams } from 'react-router'
import { dialogtask } from '#schemas/entities/dialogtask.ts'
import type { RowOf } from '#schemas/row.ts'
import { isProblem } from '#web/api/failure.ts'
import { http } from '#web/api/http.ts'
import { useSession } from '#web/api/session.ts'
import { ActionMenu } from '#web/components/action-menu.tsx'
import { IconButton } from '#web/components/hint.tsx'
import { PageSkeleton } from '#web/components/page-skeleton.tsx'
import { FORM_QUERY, formAddress } from '#web/entity/address.ts'
import { useEntityCommand } from '#web/entity/entity-command.ts'
import { detailQuery } from '#web/entity/entity-query.ts'
import { EntityDetail } from '#web/entity/form/entity-detail.tsx'
import { RemovedDetail } from '#web/entity/form/removed-detail.tsx'
import { useEntityTextsReady, useLabel } from '#web/entity/label.ts'
import { flowsQuery } from '#web/entity/read-all.ts'
import { Select } from '#web/form/labelled-select.tsx'
import { notice } from '#web/notice/notice.ts'
import { Page } from '#web/page/page.tsx'
import { PageLoadError } from '#web/page/page-load-error.tsx'
import { useGuardedNavigate, useIsLeaving } from '#web/page/use-address.ts'
import { useLevelOf } from '#web/shell/level.ts'
import { FlowList } from '../flow-list/index.ts'
import { PublishTask } from '../publish/index.ts'

/** /dialogtask/{id}: contents of a task; `?edit` and `?history` show its form. */
export const TaskPage = () => {
  const { id = '' } = useParams()
  const [search, setSearch] = useSearchParams()
  const query = useQuery(detailQuery('dialogtask', id))
  const ready = useEntityTextsReady(['dialogtask', 'dialog', 'handler'])
  const isLeaving = useIsLeaving()
  const bot = query.data?.bot
  const pid = search.get('pid')
  useEffect(() => {
    if (typeof bot !== 'string' || pid === bot || isLeaving()) return
    setSearch(before => new URLSearchParams([...before].filter(([name]) => name !== 'pid').concat([['pid', bot]])), {
      replace: true,
    })
  }, [bot, pid, setSearch, isLeaving])
  if (isProblem(query.error, 404)) return <RemovedDetail entity={dialogtask} id={id} />
  if (query.error && query.data === undefined)
    return <PageLoadError error={query.error} onRetry={() => void query.refetch()} />
  if (query.data === undefined || !ready) return <PageSkeleton />
  if (search.has(FORM_QUERY.edit) || search.has(FORM_QUERY.history))
    return <EntityDetail key={id} entity={dialogtask} id={id} listAt={`/bot/dialogtask/${String(bot)}`} />
  return <Task key={id} row={query.data} />
}

const MainDialog = ({ row, onChoose }: { row: RowOf<'dialogtask'>; onChoose: (dialog: string | null) => void }) => {
  const { t } = useTranslation('shell')
  const label = useLabel()
  const { can } = useSession()
  const id = useId()
  const dialogs = useQuery(flowsQuery('dialog', row.id)).data?.items ?? []
  return (
    <HStack gap="3" mb="5" px="4" py="3" borderWidth="1px" borderRadius="lg" bg="bg.surface" flexWrap="wrap">
      <Text as="label" {...{ htmlFor: id }} textStyle="card">
        {label.field('dialogtask', 'principaldialog')}
      </Text>
      <Select
        w={{ base: '100%', md: '280px' }}
        disabled={!can('updatedialogtask')}
        field={{ id }}
        value={row.principaldialog ?? ''}
        none={t('form.none')}
        options={dialogs.map(dialog => [dialog.id, String(dialog.name)])}
        onChange={chosen => onChoose(chosen || null)}
      />
      <Text textStyle="dense" color="fg.muted" flex="1" minW="200px">
        {t('task.maintext')}
      </Text>
    </HStack>
  )
}

const useChooseMain = (row: RowOf<'dialogtask'>) => {
  const { t } = useTranslation('shell')
  const command = useEntityCommand(dialogtask)
  return async (principaldialog: string | null) => {
    try {
      await http.patch('/{entity}/{id}', {
        params: { entity: 'dialogtask', id: row.id },
        body: { principaldialog },
        revision: row.revision,
      })
      await command.refresh()
      notice.snack(t('saved'), { tone: 'positive' })
    } catch (error) {
      command.failed(error)
    }
  }
}

const TaskMenu = ({ row }: { readonly row: RowOf<'dialogtask'> }) => {
  const { t } = useTranslation('shell')
  const label = useLabel()
  const { can } = useSession()
  const navigate = useNavigate()
  const goOn = useGuardedNavigate()
  const { pathname } = useLocation()
  const command = useEntityCommand(dialogtask)
  const name = row.name
  const bot = row.bot
  return (
    <ActionMenu
      label={t('moreof', { name })}
      actions={[
        {
          id: 'edit',
          icon: PenLine,
          label: t('task.edit'),
          run: () => void navigate(formAddress(pathname, { edit: true, bot })),
        },
        ...(can('duplicatedialogtask')
          ? [
              {
                id: 'duplicate',
                icon: CopyPlus,
                label: label.action('dialogtask', 'duplicate'),
                run: () => {
                  void command
                    .act(row, 'duplicate')
                    .then(copy => copy && goOn(formAddress(`/dialogtask/${copy.id}`, { bot })))
                },
              },
            ]
          : []),
      ]}
    >
      <IconButton icon={Ellipsis} label={t('moreof', { name })} />
    </ActionMenu>
  )
}

const Task = ({ row }: { row: RowOf<'dialogtask'> }) => {
  const { t } = useTranslation('shell')
  const label = useLabel()
  const { can } = useSession()
  const choose = useChooseMain(row)
  const [removed, setRemoved] = useState(false)
  const [publishing, setPublishing] = useState(false)
  useLevelOf('dialogtask', row)
  const dialogs = useQuery(flowsQuery('dialog', row.id)).data?.items ?? []
  const name = row.name
  const main = row.principaldialog ?? null
  const task = { id: row.id, bot: row.bot, principaldialog: main }
  const publishAll = () => {
    if (row.principaldialog === null)
      notice.toast(t('task.mainmissing'), { tone: 'danger', detail: t('task.mainmissinghelp', { name }) })
    else setPublishing(true)
  }
  return (
    <Page
      title={name}
      name={name}
      {...(typeof row.description === 'string' ? { purpose: row.description } : {})}
      actions={
        <>
          <Button aria-pressed={removed} variant={removed ? 'outline' : 'ghost'} onClick={() => setRemoved(!removed)}>
            {removed ? <Undo2 size={15} aria-hidden="true" /> : <Trash2 size={15} aria-hidden="true" />}
            {removed ? t('list.leaveremoved') : t('list.removed')}
          </Button>
          {can('publishalldialogtask') ? (
            <Button variant={dialogs.length === 0 ? 'outline' : 'solid'} onClick={publishAll}>
              <Upload size={15} aria-hidden="true" />
              {label.action('dialogtask', 'publishall')}
            </Button>
          ) : null}
          <TaskMenu row={row} />
        </>
      }
    >
      {removed ? null : <MainDialog row={row} onChoose={dialog => void choose(dialog)} />}
      <FlowList kind="dialog" task={task} removed={removed} onMain={dialog => void choose(dialog.id)} />
      <FlowList kind="handler" task={task} removed={removed} />
      {publishing ? <PublishTask row={row} dialogs={dialogs} onClose={() => setPublishing(false)} /> : null}
    </Page>
  )
}
