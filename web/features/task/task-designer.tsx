import { useQuery } from '@tanstack/react-query'
import { Navigate, useParams } from 'react-router'
import { api } from '#web/api/client.ts'
import { PageSkeleton } from '#web/components/page-skeleton.tsx'
import { FailedRead } from '#web/page/failed-read.tsx'

interface Task {
  readonly principaldialog: string | null
}

const flowOf = async (task: string): Promise<string | undefined> => {
  const { principaldialog } = await api.get<Task>(`/dialogtask/${task}`)
  if (principaldialog !== null) return principaldialog
  const first = await api.get<{ items: readonly { id: string }[] }>('/dialog', {
    dialogtask: task,
    size: 1,
    sort: 'name',
  })
  return first.items[0]?.id
}

/** /dialogtask/designer/{id}: the task's main dialog, else its first one, else the task itself. */
export const TaskDesigner = () => {
  const { id = '' } = useParams()
  const flow = useQuery({ queryKey: ['dialogtask', 'flow', id], queryFn: async () => (await flowOf(id)) ?? null })
  if (flow.isPending) return <PageSkeleton />
  if (flow.error) return <FailedRead error={flow.error} onRetry={() => void flow.refetch()} />
  return <Navigate replace to={flow.data === null ? `/dialogtask/${id}` : `/designer/dialog/${flow.data}`} />
}
