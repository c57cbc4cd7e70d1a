import { Button, chakra, HStack } from '@chakra-ui/react'
import { CircleAlert, Download } from 'lucide-react'
import { lazy, Suspense, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useLocation } from 'react-router'
import { isProblem } from '#web/api/failure.ts'
import { useSession } from '#web/api/session.ts'
import { nameOf } from '#web/components/person-avatar.tsx'
import { basePath } from '#web/i18n/path-language.ts'
import { ErrorMessage } from '#web/page/error-page.tsx'
import { usePageTitle } from '#web/shell/use-instance-tab.ts'
import { DesignerView } from './designer-view.tsx'
import { downloadFlow } from './file/download.ts'
import { createStore } from './model/store.ts'
import { Unloaded } from './session/flow-loading.tsx'
import { useFlowNames } from './session/flow-names.ts'
import type { FlowAddress } from './session/room/flow-address.ts'
import { type RoomState, useFlowReady, useRoom } from './session/use-room.ts'

const RemovedFlow = lazy(async () => ({ default: (await import('./removed-flow.tsx')).RemovedFlow }))

const NEVER = createStore(false)

const Interrupted = ({ room, name }: { readonly room: RoomState; readonly name: string }) => {
  const { t } = useTranslation('designer')
  const { pathname, search } = useLocation()
  const { interruption, unsent, dismiss } = room
  if (interruption === undefined) return null
  return (
    <HStack role="alert" px="4" py="2" gap="3" bg="bg.warning" color="warning.fg" fontSize="sm" borderBottomWidth="1px">
      <CircleAlert size={17} aria-hidden style={{ flex: 'none' }} />
      <chakra.span flex="1">
        {t(`closed.${interruption}`)} {unsent === undefined ? '' : t('closed.unsent')}
      </chakra.span>
      {unsent === undefined ? null : (
        <Button size="xs" onClick={() => downloadFlow(unsent, `${name} ${t('closed.file')}`)}>
          <Download size={14} aria-hidden />
          {t('closed.download')}
        </Button>
      )}
      {interruption === 'session' ? (
        <Button size="xs" asChild>
          <a href={`${basePath()}/login?next=${encodeURIComponent(`${pathname}${search}`)}`}>{t('closed.signIn')}</a>
        </Button>
      ) : interruption === 'locked' ? null : (
        <Button size="xs" variant="ghost" onClick={dismiss}>
          {t('close')}
        </Button>
      )}
    </HStack>
  )
}

/** The designer of one dialog or handler: joins its room and shows it once there is something true to show. */
export const DesignerPage = (address: FlowAddress) => {
  const { t } = useTranslation('designer')
  const { user, can } = useSession()
  const names = useFlowNames(address)
  // Read-only while seeing as another user.
  const mayEdit = can(`update${address.kind}`) && user.seenby === undefined
  const [member] = useState(() => ({
    id: user.id,
    name: nameOf({ ...user, firstname: user.firstname, lastname: user.lastname }),
    mayEdit,
  }))
  const room = useRoom(address, member, mayEdit)
  const ready = useFlowReady(room.designer?.ready ?? NEVER)
  const name = names.flow?.name
  usePageTitle(name)
  // While it is open, its room knows first, and holds what was not saved.
  if (room.interruption === 'missing' || (isProblem(names.missing, 404) && !ready)) {
    return (
      <Suspense>
        <RemovedFlow address={address} wasOpen={ready} unsent={room.unsent} onBack={room.again} />
      </Suspense>
    )
  }
  if (room.interruption === 'locked' || (isProblem(names.missing, 403) && !ready)) {
    return (
      <>
        {room.unsent === undefined ? null : <Interrupted room={room} name={name ?? t('flow')} />}
        <ErrorMessage code="403" />
      </>
    )
  }
  return (
    <>
      <Interrupted room={room} name={name ?? t('flow')} />
      {room.designer !== undefined && ready ? (
        <DesignerView designer={room.designer} names={names} />
      ) : (
        <Unloaded address={address} names={names} />
      )}
    </>
  )
}

export default DesignerPage
