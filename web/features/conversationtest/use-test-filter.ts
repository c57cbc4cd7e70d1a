import { useAddress } from '#web/page/use-address.ts'

/** Which tests are listed and which one is open, in the address. */
export const useTestFilter = () => {
  const { params, put, addressOf } = useAddress()
  return {
    open: params.get('open') ?? undefined,
    only: params.get('only') === 'failed' ? ('failed' as const) : undefined,
    search: params.get('search') ?? '',
    dialog: params.get('dialog') ?? '',
    put,
    addressOf: (id: string) => addressOf({ open: id }),
  }
}
