/** Whether results are downloaded by themselves; kept in this browser, as the light and dark of the page is. */
import { readLocalStorageValue, useLocalStorage } from '@mantine/hooks'

const KEPT = { key: 'reforge-download-at-once', defaultValue: false }

export const useDownloadAtOnce = () => useLocalStorage<boolean>(KEPT)

/** For what is no component. */
export const downloadsAtOnce = (): boolean => readLocalStorageValue<boolean>(KEPT)
