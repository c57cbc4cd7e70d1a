import { Button, chakra, HStack } from '@chakra-ui/react'
import { useQuery } from '@tanstack/react-query'
import { CircleAlert, Download } from 'lucide-react'
import { Suspense, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link, useLocation } from 'react-router'
import { failureOf, isProblem } from '#web/api/failure.ts'
import { http } from '#web/api/http.ts'
import { useSession } from '#web/api/session.ts'
import { DesignerSkeleton } from '#web/components/page-skeleton.tsx'
import { nameOf } from '#web/components/person-avatar.tsx'
import { basePath } from '#web/i18n/path-language.ts'
import { lazyPart } from '#web/lazy-module.ts'
import { ErrorMessage } from '#web/page/error-page.tsx'
import { usePageTitle } from '#web/shell/use-instance-tab.ts'
import { useElapsed } from '#web/timer.ts'
import { DesignerView } from './designer-view.tsx'
import { downloadFlow } from './file/download.ts'
import { createStore } from './model/store.ts'
import { type FlowNames, useFlowNames } from './session/flow-names.ts'
import type { FlowAddress } from './session/room/flow-address.ts'
import { type RoomState, useFlowReady, useRoom } from './session/use-room.ts'

/** After so long it is asked whether the flow can be read at all, and later said that it does not come. */
const ASK_AFTER = 4000
const TELL_AFTER = 20_000

interface UnloadedProps {
  readonly address: FlowAddress
  readonly names: FlowNames
}

/** Instead of a flow that has not come yet: its frame, and after a while why it does not come. */
const Unloaded = ({ address, names }: UnloadedProps) => {
  const { t } = useTranslation('designer')
  const { kind, id } = address
  const asking = useElapsed(ASK_AFTER)
  const late = useElapsed(TELL_AFTER)
  const { error } = useQuery({
    queryKey: [kind, id, 'readable'],
    queryFn: () => http.get('/{kind}/{id}/flow', { params: { kind, id } }).then(() => true),
    enabled: asking,
    retry: false,
    gcTime: 0,
  })
  const failed = names.missing ?? error
  if (failed === null && !late) return <DesignerSkeleton />
  // The server is there and cannot read what it holds.
  const isInvalid = isProblem(error, 500)
  const task = names.flow?.dialogtask
  return (
    <HStack
      role="alert"
      m="auto"
      p="6"
      gap="4"
      w="calc(100% - 32px)"
      maxW="560px"
      align="flex-start"
      borderWidth="1px"
      borderRadius="lg"
    >
      <CircleAlert size={20} aria-hidden style={{ flex: 'none' }} />
      <chakra.div display="grid" gap="2">
        <chakra.h1 textStyle="title">{isInvalid ? t('failure.invalid') : t(`failure.load.${kind}`)}</chakra.h1>
        <chakra.p fontSize="sm" color="fg.muted">
          {isInvalid ? t('failure.invalidText') : failureOf(failed, t('failure.goesOn'))}
        </chakra.p>
        <HStack gap="2">
          <Button variant="solid" colorPalette="accent" onClick={() => location.reload()}>
            {t('again')}
          </Button>
          {task === undefined ? null : (
            <Button variant="ghost" asChild>
              <Link to={`/dialogtask/${task}`}>{t('bar.back')}</Link>
            </Button>
          )}
        </HStack>
      </chakra.div>
    </HStack>
  )
}

const RemovedFlow = lazyPart(async () => (await import('./removed-flow.tsx')).RemovedFlow)

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
