use unriddle_core::*; use unriddle_puzzles::tiles::*; use unriddle_search::idastar::IdaStar;
fn main(){
 let f=std::fs::read_to_string("/work/shared/data/tiles/korf100.txt").unwrap();
 let mut tot=0u64; let t=std::time::Instant::now();
 for l in f.lines().filter(|l|!l.starts_with('#')).take(20){
  let c:Vec<u8>=l.split(':').nth(1).unwrap().split_whitespace().map(|x|x.parse().unwrap()).collect();
  let p=Tiles::<Board4>::new(&c,Goal::BlankFirst); let h=Manhattan::new();
  let mut s=IdaStar::new(&p,&h).unwrap();
  let o=run(&mut s,&Budget{expansions:Some(60_000_000),..Default::default()},&mut ()).unwrap();
  let st=s.stats(); tot+=st.expanded;
  println!("{:?} {} {}",o.bound(),st.expanded,st.generated);
 }
 println!("{:.1} M/s", tot as f64/t.elapsed().as_secs_f64()/1e6);
}
