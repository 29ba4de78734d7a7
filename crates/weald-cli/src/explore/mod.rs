//! explore: serves the page that runs the engine in the browser, on this machine only.

mod server;

use crate::args::Explore;
use crate::make::print;
use server::Page;
use std::net::{IpAddr, Ipv4Addr, SocketAddr};
use std::sync::atomic::AtomicBool;
use tokio::net::TcpListener;
use weald::job::find_world;
use weald::{Error, Job, Result};

/// The files that `cargo xtask web` made before this program was built: name and bytes.
static PAGE: &[(&str, &[u8])] = include!(concat!(env!("OUT_DIR"), "/page.rs"));

/// The port when none is given.
const PORT: u16 = 4747;

/// Serves the page until the program is stopped.
pub(crate) fn run(args: &Explore, stop: &'static AtomicBool) -> Result<()> {
    if PAGE.is_empty() {
        let message = "this program was built without the page; in a clone of the project run `cargo xtask web`, which needs \
                       Node.js 20 or newer, and install the program again";
        return Err(Error::Invalid(message.into()));
    }
    let fragment = fragment(args)?;
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
    let runtime = runtime.map_err(|e| Error::io("explore", e))?;
    runtime.block_on(async {
        let listener = listen(args.port).await?;
        let address = listener.local_addr().map_err(|e| Error::io("explore", e))?;
        let link = format!("http://{address}/{fragment}");
        print(&format!("{link}\nStop with Ctrl-C.\n"))?;
        if !args.no_open && open::that_detached(&link).is_err() {
            eprintln!("note: no browser could be opened; open the address above in one");
        }
        let served = server::serve(listener, Page::new(PAGE), stop).await;
        served.map_err(|e| Error::io(address.to_string(), e))
    })
}

/// Listens on this machine's own address: on the port that was given, else on the usual one or any that is free.
async fn listen(port: Option<u16>) -> Result<TcpListener> {
    let at = |port| SocketAddr::new(IpAddr::V4(Ipv4Addr::LOCALHOST), port);
    let named = |port, e: std::io::Error| match e.kind() {
        std::io::ErrorKind::AddrInUse => Error::Invalid(format!(
            "--port {port}: another program uses this port; choose another one, or leave --port out"
        )),
        _ => Error::io(at(port).to_string(), e),
    };
    match port {
        Some(port) => TcpListener::bind(at(port)).await.map_err(|e| named(port, e)),
        None => match TcpListener::bind(at(PORT)).await {
            Ok(listener) => Ok(listener),
            Err(_) => TcpListener::bind(at(0)).await.map_err(|e| named(0, e)),
        },
    }
}

/// The world that was asked for, as the page writes it into its address. Everything is validated first.
fn fragment(args: &Explore) -> Result<String> {
    let Some(world) = &args.world else {
        let given =
            args.seed.is_some() || args.size.is_some() || args.recipe.is_some() || !args.set.is_empty();
        if given {
            let message = "name a world first, such as `weald explore island --seed 7`";
            return Err(Error::Invalid(message.into()));
        }
        return Ok(String::new());
    };
    let info = find_world(world)?.info();
    let mut job = Job::new(world)?;
    let mut parts = vec![format!("v=1&world={world}")];
    if let Some(recipe) = &args.recipe {
        if !info.recipes.iter().any(|r| r.name == recipe) {
            let names: Vec<&str> = info.recipes.iter().map(|r| r.name).collect();
            return Err(Error::Invalid(format!(
                "--recipe {recipe}: the page knows the recipes {}; drop a recipe file on the page instead",
                names.join(", ")
            )));
        }
        job.merge_recipe(recipe.as_ref())?;
        parts.push(format!("recipe={recipe}"));
    }
    if let Some(seed) = args.seed {
        parts.push(format!("seed={seed}"));
    }
    if let Some((width, height)) = args.size {
        parts.push(format!("size={width}x{height}"));
    }
    let before = job.recipe().params.clone();
    for text in &args.set {
        job.recipe_mut().params.set_text(text);
    }
    let params = &job.recipe().params;
    params.validate()?;
    for leaf in params.leaves() {
        let value = params.value(&leaf.path).filter(|value| before.value(&leaf.path) != Some(value));
        if let Some(value) = value {
            let text = value.as_str().map_or_else(|| value.to_string(), str::to_owned);
            parts.push(format!("p.{}={}", escaped(&leaf.path), escaped(&text)));
        }
    }
    if let Some(size) = args.size {
        job.recipe().world.plan(params)?.check_size(size)?;
    }
    Ok(format!("#{}", parts.join("&")))
}

/// Text for an address: bytes that mean something else there are written as %XX.
fn escaped(text: &str) -> String {
    let plain = |b: u8| b.is_ascii_alphanumeric() || b"-._~".contains(&b);
    text.bytes().map(|b| if plain(b) { char::from(b).to_string() } else { format!("%{b:02X}") }).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn args(world: Option<&str>) -> Explore {
        Explore {
            world: world.map(Into::into),
            seed: None,
            size: None,
            recipe: None,
            set: vec![],
            port: None,
            no_open: true,
        }
    }

    #[test]
    fn the_address_holds_the_world_that_was_asked_for() {
        assert_eq!(fragment(&args(None)).unwrap(), "");
        let asked = Explore {
            seed: Some(7),
            size: Some((512, 256)),
            recipe: Some("archipelago".into()),
            set: vec!["rivers.spring_area=400.0".into()],
            ..args(Some("island"))
        };
        let expected = "#v=1&world=island&recipe=archipelago&seed=7&size=512x256&p.rivers.spring_area=400";
        assert_eq!(fragment(&asked).unwrap(), expected);
        assert_eq!(escaped("a b&c=ä"), "a%20b%26c%3D%C3%A4");
    }

    #[test]
    fn what_the_page_cannot_show_is_refused_before_it_opens() {
        let wrong = [
            Explore { seed: Some(1), ..args(None) },
            args(Some("iland")),
            Explore { recipe: Some("forest".into()), ..args(Some("island")) },
            Explore { set: vec!["rivers.spring_area=-1".into()], ..args(Some("island")) },
        ];
        for args in wrong {
            assert_eq!(fragment(&args).unwrap_err().exit_code(), 2);
        }
    }
}
