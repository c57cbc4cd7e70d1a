import { Box, Button, chakra, Flex, HStack, Input, Stack, Text } from '@chakra-ui/react'
import { useQuery } from '@tanstack/react-query'
import { KeyRound, Pencil, Plus, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { deviceName } from '#domain/people/device-name.ts'
import type { AnswerOf } from '#schemas/api/routes.ts'
import { isProblem } from '#web/api/failure.ts'
import { http } from '#web/api/http.ts'
import { Chip } from '#web/components/chip.tsx'
import { ErrorLine } from '#web/components/error-state.tsx'
import { IconButton } from '#web/components/hint.tsx'
import { Modal } from '#web/components/modal.tsx'
import { submits } from '#web/components/submits.ts'
import { agoOf, momentOf } from '#web/format/time.ts'
import { notice } from '#web/notice/notice.ts'
import { addPasskey, isCancelled, offersPasskeys } from '../sign-in/index.ts'
import { ProofForm, passkeysQuery } from './proof-form.tsx'

type Passkey = AnswerOf<'GET /user/passkey'>['items'][number]

const MAX_NAME = 60

interface ItemProps {
  readonly item: Passkey
  readonly busy: boolean
  onRename(name: string): void
  onRemove(): void
}

const NameForm = ({ item, onRename }: Pick<ItemProps, 'item' | 'onRename'>) => {
  const { t } = useTranslation('account')
  const [name, setName] = useState(item.name)
  return (
    <chakra.form
      display="flex"
      alignItems="center"
      gap="2"
      flex="1"
      onSubmit={submits(() => onRename(name.trim() === '' ? item.name : name.trim()))}
    >
      <Input
        autoFocus
        aria-label={t('passkey.name')}
        maxLength={MAX_NAME}
        value={name}
        onChange={event => setName(event.target.value)}
        onKeyDown={event => {
          if (event.key === 'Escape') onRename(item.name)
        }}
      />
      <Button type="submit" variant="solid">
        {t('passkey.save')}
      </Button>
    </chakra.form>
  )
}

const PasskeyItem = ({ item, busy, onRename, onRemove }: ItemProps) => {
  const { t } = useTranslation('account')
  const [isNaming, setNaming] = useState(false)
  const { name, created_at, last_used_at, backedup } = item
  const used = last_used_at === null ? t('passkey.unused') : t('passkey.used', { time: agoOf(last_used_at) })
  return (
    <Flex as="li" align="center" gap="3" px={{ base: '4', md: '6' }} py="3" borderTopWidth="1px">
      <Box color="fg.muted" flex="none">
        <KeyRound size={17} strokeWidth={1.75} aria-hidden="true" />
      </Box>
      {isNaming ? (
        <NameForm
          item={item}
          onRename={next => {
            setNaming(false)
            if (next !== name) onRename(next)
          }}
        />
      ) : (
        <>
          <Box flex="1" minW="0">
            <HStack gap="2" flexWrap="wrap">
              <Text textStyle="card" overflowWrap="anywhere">
                {name}
              </Text>
              {backedup ? <Chip>{t('passkey.backedup')}</Chip> : null}
            </HStack>
            <Text textStyle="secondary" color="fg.muted" title={momentOf(last_used_at ?? created_at)}>
              {`${t('passkey.added', { time: agoOf(created_at) })} · ${used}`}
            </Text>
          </Box>
          <IconButton
            icon={Pencil}
            size="sm"
            label={`${t('passkey.rename')}: ${name}`}
            disabled={busy}
            onClick={() => setNaming(true)}
          />
          <IconButton
            icon={Trash2}
            size="sm"
            label={`${t('passkey.remove')}: ${name}`}
            disabled={busy}
            onClick={onRemove}
          />
        </>
      )}
    </Flex>
  )
}

/** Runs acts on passkeys; one that needs a proof waits for it and runs again. */
const usePasskeyActs = (refetch: () => Promise<unknown>) => {
  const { t } = useTranslation(['account', 'shell'])
  const [busy, setBusy] = useState(false)
  const [error, setError] = useState<string>()
  const [waiting, setWaiting] = useState<{ readonly again: () => void }>()
  const run = async (act: () => Promise<unknown>, done: string): Promise<void> => {
    setBusy(true)
    setError(undefined)
    setWaiting(undefined)
    try {
      await act()
      await refetch()
      notice.snack(done, { tone: 'positive' })
    } catch (failure) {
      if (isProblem(failure) && failure.code === 'auth.confirm') setWaiting({ again: () => void run(act, done) })
      else if (isCancelled(failure)) setError(t('passkey.cancelled'))
      else setError(isProblem(failure) ? failure.message : t('shell:error.noanswer'))
    } finally {
      setBusy(false)
    }
  }
  return { busy, error, waiting, run, stopWaiting: () => setWaiting(undefined) }
}

const RemoveDialog = ({ name, onRemove, onClose }: { readonly name: string; onRemove(): void; onClose(): void }) => {
  const { t } = useTranslation(['account', 'shell'])
  return (
    <Modal
      alert
      tone="danger"
      icon={<Trash2 size={18} aria-hidden="true" />}
      title={t('passkey.removetitle', { name })}
      onClose={onClose}
      actions={
        <Button
          variant="solid"
          colorPalette="danger"
          onClick={() => {
            onClose()
            onRemove()
          }}
        >
          {t('passkey.remove')}
        </Button>
      }
    >
      <Text color="fg.muted">{t('passkey.removetext')}</Text>
    </Modal>
  )
}

/** Why there is no button to add one; undefined: there is. */
const useObstacle = (origin: string | null): string | undefined => {
  const { t } = useTranslation('account')
  if (origin === null) return t('passkey.off')
  if (origin !== location.origin) return t('passkey.elsewhere', { origin })
  return offersPasskeys(origin) ? undefined : t('passkey.unsupported')
}

const PasskeyList = ({
  data,
  refetch,
}: {
  readonly data: AnswerOf<'GET /user/passkey'>
  refetch(): Promise<unknown>
}) => {
  const { t } = useTranslation(['account', 'shell'])
  const { busy, error, waiting, run, stopWaiting } = usePasskeyActs(refetch)
  const [leaving, setLeaving] = useState<Passkey>()
  const obstacle = useObstacle(data.origin)
  const add = () => addPasskey(deviceName(navigator.userAgent) ?? t('passkey.default'))
  return (
    <>
      <chakra.ul listStyleType="none">
        {data.items.map(item => (
          <PasskeyItem
            key={item.id}
            item={item}
            busy={busy}
            onRename={name =>
              void run(
                () => http.patch('/user/passkey/{id}', { params: { id: item.id }, body: { name } }),
                t('passkey.renamed'),
              )
            }
            onRemove={() => setLeaving(item)}
          />
        ))}
      </chakra.ul>
      <Stack gap="3" px={{ base: '4', md: '6' }} py="3" borderTopWidth="1px">
        {data.items.length === 0 ? <Text color="fg.muted">{t('passkey.none')}</Text> : null}
        <ErrorLine text={error} />
        {obstacle === undefined ? (
          <Button w="fit-content" loading={busy} onClick={() => void run(add, t('passkey.done'))}>
            <Plus size={15} aria-hidden="true" />
            {t('passkey.add')}
          </Button>
        ) : (
          <Text textStyle="dense" color="fg.muted">
            {obstacle}
          </Text>
        )}
      </Stack>
      {leaving === undefined ? null : (
        <RemoveDialog
          name={leaving.name}
          onClose={() => setLeaving(undefined)}
          onRemove={() =>
            void run(() => http.delete('/user/passkey/{id}', { params: { id: leaving.id } }), t('passkey.removed'))
          }
        />
      )}
      <Modal open={waiting !== undefined} title={t('proof.title')} onClose={stopWaiting}>
        <ProofForm titled={false} onProven={() => waiting?.again()} />
      </Modal>
    </>
  )
}

/** One's passkeys: adds, renames and removes them. */
export const PasskeysCard = () => {
  const { t } = useTranslation('account')
  const { data, refetch } = useQuery(passkeysQuery)
  return (
    <Box
      as="section"
      aria-labelledby="passkeys"
      mt="5"
      maxW="480px"
      bg="bg.surface"
      borderWidth="1px"
      borderRadius="lg"
      overflow="hidden"
    >
      <Stack gap="2" px={{ base: '4', md: '6' }} pt={{ base: '4', md: '6' }} pb="4">
        <Text as="h2" id="passkeys" textStyle="card">
          {t('passkey.title')}
        </Text>
        <Text textStyle="dense" color="fg.muted">
          {t('passkey.text')}
        </Text>
      </Stack>
      {data === undefined ? null : <PasskeyList data={data} refetch={refetch} />}
    </Box>
  )
}
