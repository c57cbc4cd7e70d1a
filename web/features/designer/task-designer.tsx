import { useQuery } from '@tanstack/react-query'
import { useParams, useSearchParams } from 'react-router'
import { http } from '#web/api/http.ts'
import { PageSkeleton } from '#web/components/page-skeleton.tsx'
import { PageLoadError } from '#web/page/page-load-error.tsx'
import { Redirect } from '#web/page/redirect.tsx'

/** The task's main dialog, else its first one by name. */
const flowOf = async (task: string): Promise<string | undefined> => {
  const { principaldialog } = await http.get('/{entity}/{id}', { params: { entity: 'dialogtask', id: task } })
  if (typeof principaldialog === 'string') return principaldialog
  const query = { dialogtask: task, size: 1, sort: 'name' }
  const { items } = await http.get('/{entity}', { params: { entity: 'dialog' }, query })
  return items[0]?.id
}

/** /dialogtask/designer/{id}: the task's main dialog. Without an id: the tasks of the bot that the query names. */
export const TaskDesigner = () => {
  const { id } = useParams()
  const [search] = useSearchParams()
  const bot = search.get('bot') ?? search.get('pid')
  if (id !== undefined) return <MainDialog id={id} />
  return <Redirect to={bot ? `/bot/dialogtask/${bot}` : '/dialogtask/search'} />
}

/** The task's main dialog, else its first one, else the task itself. */
const MainDialog = ({ id }: { readonly id: string }) => {
  const flow = useQuery({ queryKey: ['dialogtask', 'flow', id], queryFn: async () => (await flowOf(id)) ?? null })
  if (flow.isPending) return <PageSkeleton />
  if (flow.error) return <PageLoadError error={flow.error} onRetry={() => void flow.refetch()} />
  return <Redirect to={flow.data === null ? `/dialogtask/${id}` : `/designer/dialog/${flow.data}`} />
}
